/** How the forecast is fetched, and what stays known when it cannot be. */
import { describe, expect, test } from "vitest";
import { askedAt, DAY_MS, ForecastHouse, HOUR_MS, MINUTE_MS, PLACE, SITE_IDS, SOUTH_ROOF } from "./forecast-house.ts";

const SOLAR = { source: "forecast-solar", place: PLACE, planes: [SOUTH_ROOF] };
const METEO = { source: "open-meteo", place: PLACE, planes: [SOUTH_ROOF] };
const SOLCAST = { source: "solcast", key: "solcast-key-1", sites: [...SITE_IDS] };
/** Of two days. */
const QUARTERS = 2 * 96;

describe("a forecast", () => {
  test("is there within minutes of the first start, in quarter hours of UTC", async () => {
    const house = new ForecastHouse(METEO);
    const running = await house.start();
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
    expect(running.state.nextFetchMs).toBeGreaterThan(house.nowMs + 50 * MINUTE_MS);
    await running.close();
  });

  test("of several planes is what they give together, at most what the inverters can", async () => {
    const east = { tilt: 40, azimuth: 90, peakKw: 4 };
    const one = new ForecastHouse({ ...METEO, planes: [SOUTH_ROOF] });
    const other = new ForecastHouse({ ...METEO, planes: [east] });
    const both = new ForecastHouse({ ...METEO, planes: [SOUTH_ROOF, east], inverterKw: 6 });
    const [a, b, together] = [await shown(one), await shown(other), await shown(both)];
    expect(together.length).toBe(a.length);
    for (const [index, { powerW }] of together.entries()) {
      expect(powerW).toBe(Math.min(6_000, a[index]!.powerW + b[index]!.powerW));
    }
    expect(together.some(({ powerW }) => powerW === 6_000)).toBe(true);
  });

  test("of sites has a band when each of them has one", async () => {
    const house = new ForecastHouse(SOLCAST);
    const slots = await shown(house);
    const bright = slots.filter(({ powerW }) => powerW > 1_000);
    expect(bright.length).toBeGreaterThan(20);
    for (const { powerW, p10W, p90W } of bright) {
      expect(p10W! / powerW).toBeCloseTo(3 / 8, 2);
      expect(p90W! / powerW).toBeCloseTo(9 / 8, 2);
    }
  });

  test("is fetched again every hour or so, and tells who listens", async () => {
    const house = new ForecastHouse(SOLAR);
    const running = await house.start();
    let told = 0;
    using _listening = running.forecasts.observe(() => (told += 1));
    await running.pass(6 * HOUR_MS);
    expect(house.forecastSolar.asked.length).toBeGreaterThanOrEqual(5);
    expect(house.forecastSolar.asked.length).toBeLessThanOrEqual(7);
    expect(told).toBeGreaterThanOrEqual(5);
    await running.close();
  });
});

async function shown(house: ForecastHouse) {
  const running = await house.start();
  await running.pass(5 * MINUTE_MS);
  const slots = running.ahead();
  await running.close();
  return slots;
}

test("an answer that tells less than the one before takes nothing away", async () => {
  const house = new ForecastHouse(METEO);
  const running = await house.start();
  await running.pass(5 * MINUTE_MS);
  const known = running.ahead();
  const unknownFromMs = house.nowMs + 20 * HOUR_MS;
  house.openMeteo.isUnknown = (atMs) => atMs >= unknownFromMs;
  house.openMeteo.temperature = () => -10;
  await running.pass(2 * HOUR_MS);
  const now = running.forecasts.between(known[0]!.fromMs, known.at(-1)!.toMs);
  expect(now.length).toBe(known.length);
  const changed = now.filter(({ powerW }, index) => powerW !== known[index]!.powerW).map(({ toMs }) => toMs);
  expect(changed.length).toBeGreaterThan(40);
  expect(Math.max(...changed)).toBeLessThanOrEqual(unknownFromMs + 15 * MINUTE_MS);
  expect(Math.min(...changed)).toBeGreaterThan(house.nowMs - 2 * HOUR_MS);
  await running.close();
});

describe("without internet", () => {
  test.each([
    ["forecast.solar", SOLAR],
    ["open-meteo", METEO],
    ["Solcast", SOLCAST],
  ])("what was known stays so for 48 hours, with a reboot in it: %s", async (_name, settings) => {
    const house = new ForecastHouse(settings);
    const first = await house.start();
    await first.pass(10 * MINUTE_MS);
    const known = first.ahead();
    expect(known.length).toBeGreaterThan(96);
    // What goes along with others is on disk within an hour.
    await first.pass(61 * MINUTE_MS);
    const latest = first.forecasts.between(known[0]!.fromMs, Number.POSITIVE_INFINITY);
    house.online(false);
    await first.pass(20 * HOUR_MS);
    expect(first.state.problem).toMatchObject({ kind: "unreachable" });
    first.kill();
    const second = await house.start();
    expect(second.forecasts.between(known[0]!.fromMs, Number.POSITIVE_INFINITY)).toEqual(latest);
    await second.pass(27 * HOUR_MS);
    expect(second.forecasts.between(known[0]!.fromMs, Number.POSITIVE_INFINITY)).toEqual(latest);
    expect(second.state).toMatchObject({ fetchedAtMs: expect.any(Number), knownUntilMs: latest.at(-1)!.toMs });
    house.online(true);
    await second.pass(HOUR_MS);
    expect(second.state.problem).toBeNull();
    expect(second.state.knownUntilMs).toBeGreaterThan(latest.at(-1)!.toMs);
    await second.close();
  });

  test("a request that never left is not counted: days of them cost nothing of the quota", async () => {
    const house = new ForecastHouse({ ...SOLCAST, sites: [SITE_IDS[0]] });
    house.online(false);
    const running = await house.start();
    await running.pass(1.5 * DAY_MS);
    house.online(true);
    await running.pass(HOUR_MS);
    expect(running.state).toMatchObject({ problem: null });
    expect(house.solcast.asked).toHaveLength(1);
    await running.close();
  });
});

describe("a quota", () => {
  test("of ten a day is never crossed, with a crash every half an hour", async () => {
    const house = new ForecastHouse(SOLCAST);
    const { clock } = house.world;
    while (clock.monotonicMs() < 2 * DAY_MS) {
      const running = await house.start();
      await running.pass(30 * MINUTE_MS);
      running.kill();
    }
    const asked = askedAt(house.solcast);
    expect(mostWithin(asked, DAY_MS)).toBeLessThanOrEqual(10);
    expect(asked.length).toBeGreaterThanOrEqual(8);
  });

  test("of twelve an hour is never crossed, with failures and eight planes", async () => {
    const planes = Array.from({ length: 8 }, (_, index) => ({ ...SOUTH_ROOF, azimuth: index * 45 }));
    const house = new ForecastHouse({ ...SOLAR, planes });
    const running = await house.start();
    for (let hour = 0; hour < 24; hour += 1) {
      house.forecastSolar.trouble = hour % 3 === 0 ? "down" : null;
      await running.pass(HOUR_MS);
    }
    expect(mostWithin(askedAt(house.forecastSolar), HOUR_MS)).toBeLessThanOrEqual(12);
    expect(running.ahead().length).toBeGreaterThan(90);
    await running.close();
  });

  test("is spread: a restart does not ask for what is fresh", async () => {
    const house = new ForecastHouse(SOLCAST);
    for (let count = 0; count < 5; count += 1) {
      const running = await house.start();
      await running.pass(10 * MINUTE_MS);
      expect(running.ahead().length).toBe(QUARTERS);
      await running.close();
    }
    expect(house.solcast.asked).toHaveLength(2);
  });
});

function mostWithin(times: readonly number[], windowMs: number): number {
  return Math.max(
    0,
    ...times.map((fromMs) => times.filter((atMs) => atMs >= fromMs && atMs < fromMs + windowMs).length),
  );
}
