import { expect, test } from "vitest";
import { schneiderIem3155 } from "../../../../adapters/modbus/profiles/schneider-iem3155.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test("Schneider: kilowatts become watts, counters are Wh in 64 bits", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 2_999, 0x4088, 0x0000, 0x3f40, 0x0000, 0xffc0, 0x0000);
  unit.set("holding", 3_027, 0x4366, 0x8000, 0x4367, 0x4000, 0x4365, 0xc000);
  unit.set("holding", 3_053, 0x3fa0, 0x0000, 0xbfc0, 0x0000, 0x3e80, 0x0000, 0x0000, 0x0000);
  unit.set("holding", 3_109, 0x4247, 0xeb85);
  unit.set("holding", 3_203, 0, 0, 0x0012, 0xd687, 0, 0, 0, 42);
  expect(await readAll(await profileDriver(schneiderIem3155, unit))).toMatchObject({
    "meter.current.l1": 4.25,
    "meter.current.l3": null,
    "meter.voltage.l2": 231.25,
    "meter.power.l1": 1_250,
    "meter.power.l2": -1_500,
    "meter.power.l3": 250,
    "meter.power": 0,
    "meter.frequency": 49.98,
    "meter.energyImport": 1_234_567,
    "meter.energyExport": 42,
  });
});
