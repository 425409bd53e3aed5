import { expect, test } from "vitest";
import { janitzaUmg } from "../../../../adapters/modbus/profiles/janitza-umg.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test("Janitza: floats in W, A, V and Wh", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 19_000, 0x4366, 0x8000, 0x4367, 0x4000, 0x4365, 0xc000);
  unit.set("holding", 19_012, 0x4088, 0x0000, 0xc060, 0x0000, 0x3f40, 0x0000);
  unit.set("holding", 19_020, 0x4474, 0x6000, 0xc448, 0x9800, 0x432c, 0x8000, 0x43ad, 0xd000);
  unit.set("holding", 19_050, 0x4247, 0xeb85).set("holding", 19_068, 0x4a98, 0x9680);
  unit.set("holding", 19_076, 0x449c, 0x5000);
  expect(await readAll(await profileDriver(janitzaUmg, unit))).toMatchObject({
    "meter.voltage.l3": 229.75,
    "meter.current.l2": -3.5,
    "meter.power.l2": -802.375,
    "meter.power": 347.625,
    "meter.frequency": 49.98,
    "meter.energyImport": 5_000_000,
    "meter.energyExport": 1_250.5,
  });
});
