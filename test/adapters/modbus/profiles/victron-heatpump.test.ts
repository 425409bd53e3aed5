import { expect, test } from "vitest";
import { victronHeatpump } from "../../../../adapters/modbus/profiles/victron-heatpump.ts";
import { FakeUnit } from "../fake-unit.ts";
import { profileDriver, readAll } from "../profile-driver.ts";

test.each([
  [0, false],
  [1, false],
  [2, false],
  [3, true],
  [4, true],
  [9, null],
])("a Victron heat pump's state %i: active %s", async (state, isActive) => {
  const unit = new FakeUnit().set("holding", 5501, state, 0, 1_900);
  expect(await readAll(await profileDriver(victronHeatpump, unit))).toEqual({
    "hvac.isActive": isActive,
    "hvac.power": 1_900,
  });
});
