import { describe, expect, test } from "vitest";
import { openMeteo } from "../../../adapters/forecasts/open-meteo.ts";
import { pvPowerW } from "../../../adapters/forecasts/pv-power.ts";
import type { ForecastSlot } from "../../../src/sdk/forecast-source.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { OpenMeteoTwin } from "../../twins/forecasts/open-meteo-twin.ts";
import { meanIrradiance } from "../../twins/forecasts/sky.ts";
import { askTwin } from "./ask-twin.ts";
import { makePlane } from "./planes.ts";

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 96 * QUARTER_MS;

function at(text: string): OpenMeteoTwin {
  return new OpenMeteoTwin(new VirtualClock({ startMs: Date.parse(text) }));
}

function told(twin: OpenMeteoTwin, plane = makePlane()): readonly ForecastSlot[] {
  const slots = openMeteo.read(askTwin(twin, openMeteo.request(plane, null)).body, plane);
  if (slots === null) throw new Error("not read");
  return slots;
}

/** By hand: 800 W/m² in air of 20 °C is what the nominal operating cell temperature is measured under. */
const NOMINAL = { irradiance: 800, temperature: 20 };

describe("the power of a plane", () => {
  test("is its peak under standard conditions, less the losses", () => {
    const plane = makePlane({ lossesFraction: 0.14, noct: 45 });
    // Cells at 25 °C in full sun: the air is as much colder as they are warmer than it.
    expect(pvPowerW(plane, { irradiance: 1_000, temperature: 25 - 31.25 })).toBeCloseTo(8_600, 6);
  });

  test("falls with the cells' temperature, which is the nominal one under nominal conditions", () => {
    const plane = makePlane({ lossesFraction: 0, noct: 47, temperatureCoefficient: -0.4 });
    expect(pvPowerW(plane, NOMINAL)).toBeCloseTo(10_000 * 0.8 * (1 - 0.004 * (47 - 25)), 6);
  });

  test("is never below nothing, not even in heat that no module stands", () => {
    expect(pvPowerW(makePlane(), { irradiance: -84, temperature: 20 })).toBe(0);
    expect(pvPowerW(makePlane(), { irradiance: 1_000, temperature: 400 })).toBe(0);
  });
});

describe("open-meteo", () => {
  test("tells radiation of the quarter hour that ends at its time", () => {
    const twin = at("2026-06-21T10:00:00Z");
    const slots = told(twin);
    const [plane] = twin.planes;
    expect(slots).toHaveLength(4 * 96 - 1);
    expect(slots[0]).toMatchObject({ fromMs: Date.parse("2026-06-21T00:00:00Z"), p10W: null, p90W: null });
    for (const { fromMs, toMs, powerW } of slots) {
      const irradiance = meanIrradiance(fromMs, toMs, plane!);
      expect(Math.abs(powerW - pvPowerW(makePlane(), { irradiance, temperature: 20 }))).toBeLessThan(1);
    }
  });

  test("takes the mean of the temperatures at both ends", () => {
    const twin = at("2026-06-21T10:00:00Z");
    const noonMs = Date.parse("2026-06-21T11:00:00Z");
    twin.temperature = (atMs) => (atMs <= noonMs ? 10 : 30);
    const slot = told(twin).find(({ fromMs }) => fromMs === noonMs);
    const irradiance = meanIrradiance(noonMs, noonMs + QUARTER_MS, twin.planes[0]!);
    expect(Math.abs(slot!.powerW - pvPowerW(makePlane(), { irradiance, temperature: 20 }))).toBeLessThan(1);
  });

  test.each([
    [0, -180],
    [90, -90],
    [180, 0],
    [270, 90],
  ])("is asked about %s degrees of the compass as %s from south", (azimuth, southAzimuth) => {
    const twin = at("2026-06-21T10:00:00Z");
    told(twin, makePlane({ azimuth, tilt: 35.5 }));
    expect(twin.planes).toEqual([{ latitude: 52.52, longitude: 13.405, tilt: 35.5, southAzimuth }]);
  });

  test.each(["2026-03-29T00:30:00Z", "2026-10-25T00:30:00Z"])(
    "has days of 96 quarter hours of UTC, also %s",
    (start) => {
      const slots = told(at(start));
      expect(new Set(slots.map(({ fromMs, toMs }) => toMs - fromMs))).toEqual(new Set([QUARTER_MS]));
      expect(slots.slice(1).every(({ fromMs }, index) => fromMs === slots[index]!.toMs)).toBe(true);
    },
  );

  test("what it does not know is a gap, and radiation below nothing is none", () => {
    const twin = at("2026-06-21T10:00:00Z");
    const fromMs = Date.parse("2026-06-22T09:00:00Z");
    twin.isUnknown = (atMs) => atMs >= fromMs && atMs < fromMs + 4 * QUARTER_MS;
    twin.hasNegativeSun = true;
    const slots = told(twin);
    const unknown = slots.filter((slot) => slot.toMs >= fromMs && slot.toMs < fromMs + 4 * QUARTER_MS);
    expect(unknown).toEqual([]);
    // The quarter hour after it has a temperature at one end.
    expect(slots.find((slot) => slot.toMs === fromMs + 4 * QUARTER_MS)?.powerW).toBeGreaterThan(1_000);
    expect(Math.min(...slots.map(({ powerW }) => powerW))).toBe(0);
  });

  test("knows that nothing comes in the polar night", () => {
    const slots = told(at("2026-12-21T12:00:00Z"), makePlane({ latitude: 78.2, longitude: 15.6 }));
    expect(new Set(slots.map(({ powerW }) => powerW))).toEqual(new Set([0]));
  });

  test.each([
    ["Minutely", 60_000],
    ["Hourly", 3_600_000],
  ] as const)("says how long it wants rest: %s", (usedUp, restMs) => {
    const twin = at("2026-06-21T10:00:00Z");
    twin.usedUp = usedUp;
    const refusal = askTwin(twin, openMeteo.request(makePlane(), null));
    expect(refusal.status).toBe(429);
    expect(openMeteo.restUntilMs?.(refusal, 1_000)).toBe(1_000 + restMs);
  });

  test("wants rest until the next day of UTC when the day's requests are used up", () => {
    const twin = at("2026-06-21T10:00:00Z");
    twin.usedUp = "Daily";
    const refusal = askTwin(twin, openMeteo.request(makePlane(), null));
    expect(openMeteo.restUntilMs?.(refusal, 5.5 * DAY_MS)).toBe(6 * DAY_MS);
  });

  test("has a host of its own for those with a key, and refuses a wrong one with JSON", () => {
    const twin = at("2026-06-21T10:00:00Z");
    const refusal = askTwin(twin, openMeteo.request(makePlane(), "wrong"));
    expect(refusal).toMatchObject({ status: 400, body: { error: true } });
    expect(openMeteo.restUntilMs?.(refusal, 0)).toBeNull();
    twin.keys.add("right&odd");
    expect(askTwin(twin, openMeteo.request(makePlane(), "right&odd")).status).toBe(200);
  });

  test.each([
    ["nothing", {}],
    ["columns that are missing", { minutely_15: { time: [1] } }],
    ["times that go back", columns([200, 100])],
    ["times in text", columns(["2026-06-21T00:00", "2026-06-21T00:15"])],
  ])("%s is no forecast", (_name, body) => {
    expect(openMeteo.read(body, makePlane())).toBeNull();
  });
});

function columns(time: readonly unknown[]): unknown {
  return { minutely_15: { time, global_tilted_irradiance: [1, 1], temperature_2m: [1, 1] } };
}
