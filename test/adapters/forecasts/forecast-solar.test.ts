import { describe, expect, test } from "vitest";
import { forecastSolar } from "../../../adapters/forecasts/forecast-solar.ts";
import type { ForecastSlot } from "../../../src/sdk/forecast-source.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { ForecastSolarTwin } from "../../twins/forecasts/forecast-solar-twin.ts";
import { askTwin } from "./ask-twin.ts";
import { makePlane } from "./planes.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function at(text: string): { readonly clock: VirtualClock; readonly twin: ForecastSolarTwin } {
  const clock = new VirtualClock({ startMs: Date.parse(text) });
  return { clock, twin: new ForecastSolarTwin(clock) };
}

function retryAt(twin: ForecastSolarTwin, plane = makePlane()): readonly ForecastSlot[] {
  const slots = forecastSolar.read(askTwin(twin, forecastSolar.request(plane, null)).body, plane);
  if (slots === null) throw new Error("not read");
  return slots;
}

function energyWh(
  slots: readonly { readonly fromMs: number; readonly toMs: number; readonly powerW: number }[],
): number {
  return slots.reduce((sum, { fromMs, toMs, powerW }) => sum + (powerW * (toMs - fromMs)) / HOUR_MS, 0);
}

describe("forecast.solar", () => {
  test("tells means between its times: sunrise, whole hours, sunset, and nothing in the night", () => {
    const { twin } = at("2026-06-21T10:00:00Z");
    const slots = retryAt(twin);
    const [plane] = twin.planes;
    const truth = twin.truth(plane!);
    expect(energyWh(slots)).toBeCloseTo(energyWh(truth), -2);
    for (const { fromMs, toMs, powerW } of truth) {
      const own = slots.find((slot) => slot.fromMs === fromMs && slot.toMs === toMs);
      // Its energies are whole watt hours.
      expect(Math.abs((own?.powerW ?? Number.NaN) - powerW)).toBeLessThanOrEqual((HOUR_MS / (toMs - fromMs)) * 0.5);
    }
    const night = slots.find(({ fromMs, toMs }) => toMs - fromMs > 5 * HOUR_MS);
    expect(night).toMatchObject({ powerW: 0, p10W: null, p90W: null });
    expect(slots.slice(1).every(({ fromMs }, index) => fromMs === slots[index]!.toMs)).toBe(true);
  });

  test.each([
    [0, -180],
    [90, -90],
    [180, 0],
    [270, 90],
    [360, 180],
  ])("is asked about %s degrees of the compass as %s from south", (azimuth, southAzimuth) => {
    const { twin } = at("2026-06-21T10:00:00Z");
    retryAt(twin, makePlane({ azimuth }));
    expect(twin.planes).toMatchObject([{ southAzimuth, tilt: 30, peakKw: 10, latitude: 52.52, longitude: 13.405 }]);
  });

  test("gives more in the morning to a plane that looks east", () => {
    const { twin } = at("2026-06-21T00:00:00Z");
    const morning = (slots: readonly ForecastSlot[]): number =>
      energyWh(slots.filter(({ toMs }) => toMs <= Date.parse("2026-06-21T09:00:00Z")));
    const east = morning(retryAt(twin, makePlane({ azimuth: 90 })));
    const west = morning(retryAt(twin, makePlane({ azimuth: 270 })));
    expect(east).toBeGreaterThan(1.5 * west);
  });

  test.each(["2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", "2026-10-24T12:00:00Z", "2026-10-25T12:00:00Z"])(
    "is right on the days on which clocks change, in UTC and where it tells local times: %s",
    (start) => {
      const { twin } = at(start);
      const inUtc = retryAt(twin);
      const plane = makePlane();
      const { url } = forecastSolar.request(plane, null);
      const inLocal = forecastSolar.read(askTwin(twin, { url: url.replace("?time=utc", "") }).body, plane);
      expect(inLocal).toEqual(inUtc);
      const dayLengths = twin.truth(twin.planes[0]!).map(({ fromMs, toMs }) => toMs - fromMs);
      expect(Math.max(...dayLengths)).toBeLessThanOrEqual(HOUR_MS);
    },
  );

  test("has nothing to tell in the polar night, and says so", () => {
    const { twin } = at("2026-12-21T12:00:00Z");
    twin.zone = "Europe/Oslo";
    expect(retryAt(twin, makePlane({ latitude: 78.2, longitude: 15.6 }))).toEqual([]);
  });

  test("says when it may be asked again after twelve requests in an hour", async () => {
    const { clock, twin } = at("2026-06-21T10:00:00Z");
    for (let count = 0; count < 12; count += 1) {
      retryAt(twin);
      await clock.advance(MINUTE_MS);
    }
    const refusal = askTwin(twin, forecastSolar.request(makePlane(), null));
    expect(refusal.status).toBe(429);
    const untilMs = forecastSolar.restUntilMs?.(refusal, clock.nowMs());
    expect(untilMs).toBe(Date.parse("2026-06-21T11:00:00Z"));
    await clock.advance(untilMs! - clock.nowMs());
    expect(retryAt(twin)).not.toEqual([]);
  });

  test("takes a key in the path, whatever is in it", () => {
    const { twin } = at("2026-06-21T10:00:00Z");
    const key = "a/b?c d";
    expect(askTwin(twin, forecastSolar.request(makePlane(), key)).status).toBe(401);
    twin.keys.add(key);
    expect(askTwin(twin, forecastSolar.request(makePlane(), key)).status).toBe(200);
  });

  test("a time that is missing leaves a gap, not an even hour", () => {
    const answer = (rows: object): unknown => ({ result: { watt_hours_period: rows } });
    const rows = {
      "2026-06-21T08:00:00+00:00": 0,
      "2026-06-21T09:00:00+00:00": 600,
      "2026-06-21T12:00:00+00:00": 900,
      "2026-06-21T13:00:00+00:00": 1_000,
    };
    expect(forecastSolar.read(answer(rows), makePlane())?.map(({ powerW }) => powerW)).toEqual([600, 1_000]);
  });

  test.each([
    ["nothing", null],
    ["another answer", { result: "Rate limit for API calls reached." }],
    ["no energies", { result: { watts: {} } }],
    ["times of no zone", { result: { watt_hours_period: { "2026-06-21 08:00:00": 0 } } }],
    ["no times", { result: { watt_hours_period: { soon: 0 } } }],
    ["no numbers", { result: { watt_hours_period: { "2026-06-21T08:00:00+00:00": "many" } } }],
  ])("%s is no forecast", (_name, body) => {
    expect(forecastSolar.read(body, makePlane())).toBeNull();
  });
});
