/** Whatever is answered is read as slots that can be, or as no forecast. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { forecastSolar } from "../../../adapters/forecasts/forecast-solar.ts";
import { openMeteo } from "../../../adapters/forecasts/open-meteo.ts";
import { solcast } from "../../../adapters/forecasts/solcast.ts";
import type { ForecastSlot } from "../../../src/sdk/forecast-source.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";
import { ForecastSolarTwin } from "../../twins/forecasts/forecast-solar-twin.ts";
import { OpenMeteoTwin } from "../../twins/forecasts/open-meteo-twin.ts";
import { SolcastTwin } from "../../twins/forecasts/solcast-twin.ts";
import { askTwin } from "./ask-twin.ts";
import { makePlane } from "./planes.ts";

const PLANE = makePlane();

function answers() {
  const clock = new VirtualClock();
  const twin = new SolcastTwin(clock);
  twin.sites.set("a", { ...PLANE, southAzimuth: 0, capacityKw: 5 });
  return [
    {
      name: "forecast.solar",
      body: askTwin(new ForecastSolarTwin(clock), forecastSolar.request(PLANE, null)).body,
      read: (body: unknown) => forecastSolar.read(body, PLANE),
    },
    {
      name: "open-meteo",
      body: askTwin(new OpenMeteoTwin(clock), openMeteo.request(PLANE, null)).body,
      read: (body: unknown) => openMeteo.read(body, PLANE),
    },
    { name: "Solcast", body: askTwin(twin, solcast.request("a", "solcast-key-1")).body, read: solcast.read },
  ];
}

const ODD: readonly unknown[] = [
  null,
  "",
  "soon",
  -9_999,
  1e308,
  -1e308,
  0.5,
  true,
  [],
  {},
  [[]],
  "2026-02-30T25:61:00Z",
];

/** A copy with another value at one of its leaves, or a part left out. */
function spoiled(value: unknown, steps: readonly number[], odd: unknown): unknown {
  const [step = 0, ...rest] = steps;
  if (typeof value !== "object" || value === null) return odd;
  const keys = Object.keys(value);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return odd;
  const own: unknown = Reflect.get(value, key);
  const next = rest.length === 0 ? odd : spoiled(own, rest, odd);
  if (Array.isArray(value)) return value.map((each, index) => (String(index) === key ? next : each));
  return { ...value, [key]: next };
}

function isPossible({ fromMs, toMs, powerW, p10W, p90W }: ForecastSlot): boolean {
  const isPower = (value: number): boolean => Number.isFinite(value) && value >= 0;
  const isTime = Number.isInteger(fromMs) && Number.isInteger(toMs) && fromMs < toMs;
  return isTime && isPower(powerW) && [p10W, p90W].every((value) => value === null || isPower(value));
}

describe.each(answers())("an answer of $name", ({ body, read }) => {
  test("is read as it is", () => {
    expect(read(body)?.length).toBeGreaterThan(20);
    expect(read(body)?.every(isPossible)).toBe(true);
  });

  test("that is spoiled somewhere gives possible slots in order, or none", () => {
    let refused = 0;
    const steps = fc.array(fc.nat({ max: 500 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(steps, fc.constantFrom(...ODD), (path, odd) => {
        const slots = read(spoiled(body, path, odd));
        if (slots === null) refused += 1;
        expect(slots?.every(isPossible) ?? true).toBe(true);
        expect(slots?.every(({ fromMs }, index) => fromMs >= (slots[index - 1]?.toMs ?? fromMs)) ?? true).toBe(true);
      }),
      { numRuns: 300 },
    );
    expect(refused).toBeGreaterThan(20);
  });

  test("of any other kind is none", () => {
    fc.assert(fc.property(fc.jsonValue(), (any) => read(any) === null));
  });
});
