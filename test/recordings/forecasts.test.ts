/** Answers recorded from forecast.solar and Solcast, read through their descriptions. */
import { expect, test } from "vitest";
import { forecastSolar } from "../../adapters/forecasts/forecast-solar.ts";
import { solcast } from "../../adapters/forecasts/solcast.ts";
import { makePlane } from "../adapters/forecasts/planes.ts";
import { recorded } from "./recorded-cloud.ts";

const HOUR_MS = 3_600_000;

function energyWh(
  slots: readonly { readonly fromMs: number; readonly toMs: number; readonly powerW: number }[],
): number {
  return slots.reduce((sum, { fromMs, toMs, powerW }) => sum + (powerW * (toMs - fromMs)) / HOUR_MS, 0);
}

test("two days of forecast.solar in the time of their place", () => {
  const body = recorded("forecast_solar", "estimate_2022-10-24.json") as { result: { watt_hours_day: object } };
  const slots = forecastSolar.read(body, makePlane());
  // 08:04 in Paris, on summer time; its quarter hour begins four minutes earlier.
  expect(slots?.[0]).toMatchObject({ fromMs: Date.UTC(2022, 9, 24, 6), toMs: Date.UTC(2022, 9, 24, 6, 4), powerW: 0 });
  expect(slots?.at(-1)).toMatchObject({ toMs: Date.UTC(2022, 9, 25, 16, 45), powerW: 0 });
  const days = [24, 25].map((day) => {
    const fromMs = Date.UTC(2022, 9, day);
    return Math.round(energyWh(slots!.filter((slot) => slot.toMs > fromMs && slot.toMs <= fromMs + 24 * HOUR_MS)));
  });
  expect(days).toEqual(Object.values(body.result.watt_hours_day));
  // Its own watts at both ends of an hour have the same mean, as far as whole watt hours can say.
  const noon = slots!.find(({ fromMs }) => fromMs === Date.UTC(2022, 9, 25, 10));
  expect(Math.abs(noon!.powerW - (3_067 + 3_390) / 2)).toBeLessThanOrEqual(0.5);
});

test("a refusal of forecast.solar says when it may be asked again", () => {
  const body = recorded("forecast_solar", "ratelimit.json");
  const untilMs = forecastSolar.restUntilMs?.({ status: 429, headers: {}, body }, 0);
  expect(untilMs).toBe(Date.parse("2024-04-27T00:48:53Z"));
  expect(forecastSolar.read(body, makePlane())).toBeNull();
  expect(forecastSolar.read(recorded("forecast_solar", "validate_plane.json"), makePlane())).toBeNull();
});

test("days of Solcast with their band", () => {
  const body = recorded("solcast", "multiday.json") as { forecasts: { pv_estimate: number }[] };
  const slots = solcast.read(body);
  expect(slots).toHaveLength(body.forecasts.length);
  expect(slots?.[0]?.fromMs).toBe(Date.UTC(2024, 11, 26, 17));
  expect(slots?.every(({ fromMs, toMs }) => toMs - fromMs === HOUR_MS / 2)).toBe(true);
  expect(slots?.every(({ p10W, powerW, p90W }) => p10W! <= powerW && powerW <= p90W!)).toBe(true);
  const wholeWh = body.forecasts.reduce((sum, { pv_estimate }) => sum + pv_estimate * 500, 0);
  expect(energyWh(slots!)).toBeCloseTo(wholeWh, 6);
  expect(wholeWh).toBeGreaterThan(1_000);
});
