/** How the forecast is fetched, its quota, and what stays known without internet. */
import { describe, expect, test } from "vitest";
import {
  DAY_MS,
  ForecastHome,
  HOUR_MS,
  MINUTE_MS,
  PLACE,
  requestTimes,
  SITE_IDS,
  SOUTH_ROOF,
} from "./forecast-home.ts";

const SOLAR = { source: "forecast-solar", place: PLACE, planes: [SOUTH_ROOF] };
const METEO = { source: "open-meteo", place: PLACE, planes: [SOUTH_ROOF] };
const SOLCAST = { source: "solcast", key: "solcast-key-1", sites: [...SITE_IDS] };
/** The quarter hours of two days. */
const QUARTERS = 2 * 96;

describe("forecasts", () => {
  test("A forecast is known within minutes of the first start, in quarter hours of UTC", async () => {
    const home = new ForecastHome(METEO);
    const running = await home.start();
    expect(running.state).toMatchObject({ fetchedAtMs: null, knownUntilMs: null, problem: null });
    expect(running.ahead()).toEqual([]);
    await running.pass(5 * MINUTE_MS);
    const slots = running.ahead();
    expect(slots.length).toBeGreaterThanOrEqual(QUARTERS - 1);
    expect(slots.every(({ fromMs, toMs }) => fromMs % (15 * MINUTE_MS) === 0 && toMs - fromMs === 15 * MINUTE_MS)).toBe(
      true,
    );
    expect(Math.max(...slots.map(({ powerW }) => powerW))).toBeGreaterThan(5_000);
    expect(running.state).toMatchObject({ problem: null, source: { id: "open-meteo", name: "Open-Meteo" } });
    expect(running.state.nextFetchMs).toBeGreaterThan(home.nowMs + 50 * MINUTE_MS);
    await running.close();
  });

  test("The forecast of several planes is their sum, limited to the power of the inverters", async () => {
    const east = { tilt: 40, azimuth: 90, peakKw: 4 };
    const one = new ForecastHome({ ...METEO, planes: [SOUTH_ROOF] });
    const other = new ForecastHome({ ...METEO, planes: [east] });
    const both = new ForecastHome({ ...METEO, planes: [SOUTH_ROOF, east], inverterKw: 6 });
    const [a, b, together] = [await shown(one), await shown(other), await shown(both)];
    expect(together.length).toBe(a.length);
    for (const [index, { powerW }] of together.entries()) {
      expect(powerW).toBe(Math.min(6_000, a[index]!.powerW + b[index]!.powerW));
    }
    expect(together.some(({ powerW }) => powerW === 6_000)).toBe(true);
  });

  test("The forecast of several sites has percentiles if each site has them", async () => {
    const home = new ForecastHome(SOLCAST);
    const slots = await shown(home);
    const bright = slots.filter(({ powerW }) => powerW > 1_000);
    expect(bright.length).toBeGreaterThan(20);
    for (const { powerW, p10W, p90W } of bright) {
      expect(p10W! / powerW).toBeCloseTo(3 / 8, 2);
      expect(p90W! / powerW).toBeCloseTo(9 / 8, 2);
    }
  });

  test("A forecast is fetched about every hour, and listeners are called", async () => {
    const home = new ForecastHome(SOLAR);
    const running = await home.start();
    let calls = 0;
    using _listening = running.forecasts.observe(() => (calls += 1));
    await running.pass(6 * HOUR_MS);
    expect(home.forecastSolar.asked.length).toBeGreaterThanOrEqual(5);
    expect(home.forecastSolar.asked.length).toBeLessThanOrEqual(7);
    expect(calls).toBeGreaterThanOrEqual(5);
    await running.close();
  });
});

async function shown(home: ForecastHome) {
  const running = await home.start();
  await running.pass(5 * MINUTE_MS);
  const slots = running.ahead();
  await running.close();
  return slots;
}

test("An answer with fewer slots than the one before keeps the known ones", async () => {
  const home = new ForecastHome(METEO);
  const running = await home.start();
  await running.pass(5 * MINUTE_MS);
  const known = running.ahead();
  const unknownFromMs = home.nowMs + 20 * HOUR_MS;
  home.openMeteo.isUnknown = (atMs) => atMs >= unknownFromMs;
  home.openMeteo.temperature = () => -10;
  await running.pass(2 * HOUR_MS);
  const now = running.forecasts.between(known[0]!.fromMs, known.at(-1)!.toMs);
  expect(now.length).toBe(known.length);
  const changed = now.filter(({ powerW }, index) => powerW !== known[index]!.powerW).map(({ toMs }) => toMs);
  expect(changed.length).toBeGreaterThan(40);
  expect(Math.max(...changed)).toBeLessThanOrEqual(unknownFromMs + 15 * MINUTE_MS);
  expect(Math.min(...changed)).toBeGreaterThan(home.nowMs - 2 * HOUR_MS);
  await running.close();
});

describe("forecasts without internet", () => {
  test.each([
    ["forecast.solar", SOLAR],
    ["open-meteo", METEO],
    ["Solcast", SOLCAST],
  ])("Without internet the forecast of %s stays known for 48 hours, even after a reboot", async (_name, settings) => {
    const home = new ForecastHome(settings);
    const first = await home.start();
    await first.pass(10 * MINUTE_MS);
    const known = first.ahead();
    expect(known.length).toBeGreaterThan(96);
    // Records that wait for the next commit are on disk within an hour.
    await first.pass(61 * MINUTE_MS);
    const latest = first.forecasts.between(known[0]!.fromMs, Number.POSITIVE_INFINITY);
    home.online(false);
    await first.pass(20 * HOUR_MS);
    expect(first.state.problem).toMatchObject({ kind: "unreachable" });
    first.kill();
    const second = await home.start();
    expect(second.forecasts.between(known[0]!.fromMs, Number.POSITIVE_INFINITY)).toEqual(latest);
    await second.pass(27 * HOUR_MS);
    expect(second.forecasts.between(known[0]!.fromMs, Number.POSITIVE_INFINITY)).toEqual(latest);
    expect(second.state).toMatchObject({ fetchedAtMs: expect.any(Number), knownUntilMs: latest.at(-1)!.toMs });
    home.online(true);
    await second.pass(HOUR_MS);
    expect(second.state.problem).toBeNull();
    expect(second.state.knownUntilMs).toBeGreaterThan(latest.at(-1)!.toMs);
    await second.close();
  });

  test("Requests that cannot be sent do not count against the quota", async () => {
    const home = new ForecastHome({ ...SOLCAST, sites: [SITE_IDS[0]] });
    home.online(false);
    const running = await home.start();
    await running.pass(1.5 * DAY_MS);
    home.online(true);
    await running.pass(HOUR_MS);
    expect(running.state).toMatchObject({ problem: null });
    expect(home.solcast.asked).toHaveLength(1);
    await running.close();
  });
});

describe("forecast quotas", () => {
  test("A quota of ten a day is never exceeded, even with a crash every half hour", async () => {
    const home = new ForecastHome(SOLCAST);
    const { clock } = home.world;
    while (clock.monotonicMs() < 2 * DAY_MS) {
      const running = await home.start();
      await running.pass(30 * MINUTE_MS);
      running.kill();
    }
    const asked = requestTimes(home.solcast);
    expect(mostWithin(asked, DAY_MS)).toBeLessThanOrEqual(10);
    expect(asked.length).toBeGreaterThanOrEqual(8);
  });

  test("A quota of twelve an hour is never exceeded, even with failures and eight planes", async () => {
    const planes = Array.from({ length: 8 }, (_, index) => ({ ...SOUTH_ROOF, azimuth: index * 45 }));
    const home = new ForecastHome({ ...SOLAR, planes });
    const running = await home.start();
    for (let hour = 0; hour < 24; hour += 1) {
      home.forecastSolar.trouble = hour % 3 === 0 ? "down" : null;
      await running.pass(HOUR_MS);
    }
    expect(mostWithin(requestTimes(home.forecastSolar), HOUR_MS)).toBeLessThanOrEqual(12);
    expect(running.ahead().length).toBeGreaterThan(90);
    await running.close();
  });

  test("A restart does not fetch a forecast that is still fresh", async () => {
    const home = new ForecastHome(SOLCAST);
    for (let count = 0; count < 5; count += 1) {
      const running = await home.start();
      await running.pass(10 * MINUTE_MS);
      expect(running.ahead().length).toBe(QUARTERS);
      await running.close();
    }
    expect(home.solcast.asked).toHaveLength(2);
  });
});

function mostWithin(times: readonly number[], windowMs: number): number {
  return Math.max(
    0,
    ...times.map((fromMs) => times.filter((atMs) => atMs >= fromMs && atMs < fromMs + windowMs).length),
  );
}
