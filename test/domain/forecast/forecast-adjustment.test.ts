import { expect, test } from "vitest";
import { adjustmentOf } from "../../../src/domain/forecast/forecast-adjustment.ts";

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
