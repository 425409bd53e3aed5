import { expect, test } from "vitest";
import { adjustmentOf, matchOfTwoWeeks } from "../../../src/domain/forecast/forecast-adjustment.ts";

const HOUR_MS = 3_600_000;

function hours(count: number, forecastW: number, measuredW: number) {
  return Array.from({ length: count }, (_, index) => ({ atMs: index * HOUR_MS, forecastW, measuredW }));
}

test("nothing is adjusted before a day's worth of light was compared", () => {
  expect(adjustmentOf([])).toEqual({ factor: null, hours: 0, forecastKwh: null, measuredKwh: null });
  expect(adjustmentOf([...hours(23, 1_000, 900), ...hours(100, 0, 5)]).factor).toBeNull();
  expect(adjustmentOf(hours(24, 1_000, 900)).factor).toBeCloseTo(0.9, 9);
});

test("energy counts, not hours: bright hours weigh more", () => {
  const { factor, forecastKwh, measuredKwh } = adjustmentOf([...hours(20, 3_000, 3_000), ...hours(20, 1_000, 0)]);
  expect(factor).toBeCloseTo(0.75, 9);
  expect([forecastKwh, measuredKwh]).toEqual([80, 60]);
});

test("the forecast's adjustment stays within bounds, whatever the meter says", () => {
  expect(adjustmentOf(hours(48, 1_000, 0)).factor).toBe(0.5);
  expect(adjustmentOf(hours(48, 1_000, 90_000)).factor).toBe(2);
});

/** Two weeks with eight hours of light a day; the share of the forecast that was produced, by day. */
function twoWeeks(shareOn: (day: number) => number) {
  return Array.from({ length: 14 }, (_, day) =>
    hours(8, 1_000, 1_000 * shareOn(day)).map((hour) => ({ ...hour, atMs: hour.atMs + (day * 24 + 8) * HOUR_MS })),
  ).flat();
}

test.each([
  ["half of the forecast on each day", () => 0.5, "far"],
  ["twice the forecast on each day", () => 2, "far"],
  ["four fifths of the forecast", () => 0.8, "near"],
  ["snow in the last week only", (day: number) => (day < 7 ? 1 : 0), "unsure"],
  ["snow in the first week only", (day: number) => (day < 7 ? 0 : 1), "near"],
  ["too little in the first week and too much in the last", (day: number) => (day < 7 ? 0.4 : 1.8), "unsure"],
  ["a little less than the forecast, which opens no finding and closes none", () => 0.7, "unsure"],
])("a forecast is far off only if it was in both weeks: %s", (_case, shareOn, match) => {
  expect(matchOfTwoWeeks(twoWeeks(shareOn), 14 * 24 * HOUR_MS)).toBe(match);
});

test("fewer than two weeks of comparison do not say that a forecast is far off", () => {
  const compared = twoWeeks(() => 0.5);
  expect(matchOfTwoWeeks(compared.slice(8), 14 * 24 * HOUR_MS)).toBe("unsure");
  expect(matchOfTwoWeeks([], 14 * 24 * HOUR_MS)).toBe("unsure");
});
