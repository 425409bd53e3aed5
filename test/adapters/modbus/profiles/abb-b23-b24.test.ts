import { expect, test } from "vitest";
import { abbB23B24 } from "../../../../adapters/modbus/profiles/abb-b23-b24.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test("ABB: hundredths of a watt, 64-bit counters, and all ones where there is nothing", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 20_480, 0, 0, 0x0001, 0xe240).set("holding", 20_484, 0xffff, 0xffff, 0xffff, 0xffff);
  unit.set("holding", 23_296, 0, 2_305, 0, 2_299, 0xffff, 0xffff);
  unit.set("holding", 23_308, 0, 425, 0, 0, 0xffff, 0xffff);
  unit.set("holding", 23_316, 0xfffe, 0x1dc0, 0xfffe, 0x1dc0, 0, 0, 0x7fff, 0xffff);
  unit.set("holding", 23_340, 4_998);
  expect(await readAll(await profileDriver(abbB23B24, unit))).toEqual({
    "meter.energyImport": 1_234_560,
    "meter.energyExport": null,
    "meter.voltage.l1": 230.5,
    "meter.voltage.l2": 229.9,
    "meter.voltage.l3": null,
    "meter.current.l1": 4.25,
    "meter.current.l2": 0,
    "meter.current.l3": null,
    "meter.power": -1_234.56,
    "meter.power.l1": -1_234.56,
    "meter.power.l2": 0,
    "meter.power.l3": null,
    "meter.frequency": 49.98,
  });
});
