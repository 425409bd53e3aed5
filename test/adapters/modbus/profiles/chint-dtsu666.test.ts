import { expect, test } from "vitest";
import { chintDtsu666 } from "../../../../adapters/modbus/profiles/chint-dtsu666.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test("Chint: floats that count tenths and thousandths, counters in kWh", async () => {
  const unit = new FakeUnit();
  // 2300 tenths of a volt, 421 thousandths of an ampere, -802.375 tenths of a watt.
  unit.set("holding", 8_198, 0x450f, 0xc000, 0x450f, 0xc000, 0x450f, 0xc000);
  unit.set("holding", 8_204, 0x43d2, 0x8000, 0x43d2, 0x8000, 0x43d2, 0x8000);
  unit.set("holding", 8_210, 0xc448, 0x9800, 0x4474, 0x6000, 0x0000, 0x0000, 0xc448, 0x9800);
  unit.set("holding", 8_260, 0x459c, 0x4000);
  unit.set("holding", 4_126, 0x40f0, 0x0000).set("holding", 4_136, 0x3f00, 0x0000);
  expect(await readAll(await profileDriver(chintDtsu666, unit))).toMatchObject({
    "meter.voltage.l1": 230,
    "meter.current.l3": 0.421,
    "meter.power": -80.2375,
    "meter.power.l1": 97.75,
    "meter.power.l2": 0,
    "meter.frequency": 50,
    "meter.energyImport": 7_500,
    "meter.energyExport": 500,
  });
});
