import { expect, test } from "vitest";
import { ageText, pointText } from "../../src/cli/point-text.ts";

test.each([
  ["meter.power", -1234, "W", "−1,234 W export"],
  ["meter.power.l2", 80.456, "W", "80.46 W import"],
  ["battery.power", 1500, "W", "1,500 W charging"],
  ["battery.power", -1500, "W", "−1,500 W discharging"],
  ["inverter.power", 4200, "W", "4,200 W production"],
  ["charger.power", 11_040, "W", "11,040 W charging"],
  ["meter.power", 0, "W", "0 W"],
  ["battery.soc", 54.5, "%", "54.5 %"],
  ["meter.voltage.l1", 230.1, "V", "230.1 V"],
  ["battery.status", "CHARGING", "", "CHARGING"],
  ["charger.enabled", true, "", "on"],
  ["charger.enabled", false, "", "off"],
  ["battery.soc", null, "%", "not reported by the device"],
] as const)("%s of %s %s reads %j", (point, value, unit, text) => {
  expect(pointText({ point, value, unit })).toBe(text);
});

test.each([
  [null, "never"],
  [0, "now"],
  [999, "now"],
  [3_400, "3 s ago"],
  [59_999, "59 s ago"],
  [61_000, "1 min ago"],
  [2 * 3_600_000, "2 h ago"],
  [50 * 3_600_000, "2 d ago"],
])("an age of %s ms reads %j", (ageMs, text) => {
  expect(ageText(ageMs)).toBe(text);
});
