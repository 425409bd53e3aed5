import { expect, it } from "vitest";
import { batteryStatusOf } from "../../../../../adapters/clouds/kit/device/site-flow.ts";

it.each([
  [1_500, "CHARGING"],
  [-1_500, "DISCHARGING"],
  [0, "IDLE"],
  [-0, "IDLE"],
  [null, null],
])("A battery that takes %s W is %s", (batteryW, status) => {
  expect(batteryStatusOf(batteryW)).toBe(status);
});
