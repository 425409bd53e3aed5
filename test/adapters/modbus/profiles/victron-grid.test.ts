import { expect, test } from "vitest";
import { victronGrid } from "../../../../adapters/modbus/profiles/victron-grid.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test("the GX's grid meter sums its phases and takes the totals of its energy", async () => {
  const unit = new FakeUnit();
  unit.set("holding", 2600, 0xfe0c, 250, 0).set("holding", 2616, 2_310, 0xffeb, 2_305, 11, 2_299, 0);
  unit.set("holding", 2634, 1, 0, 0, 500).set("holding", 2644, 5_003);
  expect(await readAll(await profileDriver(victronGrid, unit))).toEqual({
    "meter.power.l1": -500,
    "meter.power.l2": 250,
    "meter.power.l3": 0,
    "meter.power": -250,
    "meter.voltage.l1": 231,
    "meter.voltage.l2": 230.5,
    "meter.voltage.l3": 229.9,
    "meter.current.l1": -2.1,
    "meter.current.l2": 1.1,
    "meter.current.l3": 0,
    "meter.energyImport": 655_360,
    "meter.energyExport": 5_000,
    "meter.frequency": 50.03,
  });
});
