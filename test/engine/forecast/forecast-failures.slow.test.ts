/** What a source that fails, or is asked the wrong thing, does to the forecast: nothing to what is known. */
import { describe, expect, test } from "vitest";
import type { CloudTrouble } from "../../twins/clouds/cloud-twin.ts";
import { askedAt, DAY_MS, ForecastHouse, HOUR_MS, MINUTE_MS, PLACE, SITE_IDS, SOUTH_ROOF } from "./forecast-house.ts";

const SOLAR = { source: "forecast-solar", place: PLACE, planes: [SOUTH_ROOF] };
const METEO = { source: "open-meteo", place: PLACE, planes: [SOUTH_ROOF] };
const SOLCAST = { source: "solcast", key: "solcast-key-1", sites: [SITE_IDS[0]] };
const SVALBARD = { latitude: 78.2, longitude: 15.6 };

const TROUBLES: readonly (readonly [CloudTrouble, string])[] = [
  ["down", "unavailable"],
  ["hang", "unreachable"],
  ["break", "unreachable"],
  ["limited", "rate-limited"],
  ["portal", "malformed"],
  ["cut", "malformed"],
];

describe.each([
  ["forecast.solar", SOLAR],
  ["open-meteo", METEO],
  ["Solcast", SOLCAST],
] as const)("%s", (_name, settings) => {
  test.each(TROUBLES)(
    "in trouble (%s) takes nothing away, and is told as %s until it is over",
    async (trouble, kind) => {
      const house = new ForecastHouse(settings);
      const running = await house.start();
      await running.pass(5 * MINUTE_MS);
      const known = running.ahead();
      for (const twin of [house.forecastSolar, house.openMeteo, house.solcast]) twin.trouble = trouble;
      await running.pass(7 * HOUR_MS);
      expect(running.state.problem).toMatchObject({ kind });
      expect(running.state.nextFetchMs).toBeGreaterThan(house.nowMs);
      expect(running.forecasts.between(known[0]!.fromMs, known.at(-1)!.toMs)).toEqual(known);
      expect(running.process.log.texts("warn")).toEqual(["forecast not renewed"]);
      for (const twin of [house.forecastSolar, house.openMeteo, house.solcast]) twin.trouble = null;
      await running.pass(DAY_MS);
      expect(running.state.problem).toBeNull();
      expect(running.process.log.texts("info")).toContain("forecast fetched again");
      await running.close();
    },
  );
});

describe("a source that", () => {
  test("answers one plane and not the other has told nothing", async () => {
    const house = new ForecastHouse({ ...METEO, planes: [SOUTH_ROOF, { ...SOUTH_ROOF, azimuth: 90 }] });
    const answer = house.openMeteo.serve.bind(house.openMeteo);
    house.openMeteo.serve = (request) => (request.path.includes("azimuth=-90") ? { status: 502 } : answer(request));
    const running = await house.start();
    await running.pass(10 * MINUTE_MS);
    expect(running.ahead()).toEqual([]);
    expect(running.state.problem).toMatchObject({ kind: "unavailable", text: "api.open-meteo.com answered 502" });
    await running.close();
  });

  test("refuses the key is not asked again, over restarts too, until the configuration changes", async () => {
    const house = new ForecastHouse({ ...SOLCAST, key: "a-wrong-key" });
    for (let count = 0; count < 2; count += 1) {
      const running = await house.start();
      await running.pass(DAY_MS);
      expect(running.state).toMatchObject({ nextFetchMs: null, problem: { kind: "refused" } });
      expect(running.process.log.texts("error")).toEqual(["no forecast"]);
      running.kill();
    }
    expect(house.solcast.asked).toHaveLength(1);
    house.settings = SOLCAST;
    const changed = await house.start();
    await changed.pass(HOUR_MS);
    expect(changed.state.problem).toBeNull();
    expect(changed.ahead().length).toBe(2 * 96);
    await changed.close();
  });

  test.each([
    ["forecast-solar", { ...SOLAR, key: "a-wrong-key" }, 401],
    ["open-meteo", { ...METEO, key: "a-wrong-key" }, 400],
    ["solcast", { ...SOLCAST, sites: ["of-nobody"] }, 404],
  ])("refuses what it is asked is told with its status: %s", async (_id, settings, status) => {
    const house = new ForecastHouse(settings);
    const running = await house.start();
    await running.pass(10 * MINUTE_MS);
    expect(running.state.problem).toMatchObject({ kind: "refused", text: expect.stringContaining(String(status)) });
    await running.close();
  });

  test("sits behind a portal that refuses with a page is asked again: the page is none of its own", async () => {
    const house = new ForecastHouse(METEO);
    const answer = house.openMeteo.serve.bind(house.openMeteo);
    house.openMeteo.serve = () => ({
      status: 403,
      headers: { "content-type": "text/html" },
      body: "<html>sign in</html>",
    });
    const running = await house.start();
    await running.pass(10 * MINUTE_MS);
    expect(running.state.problem).toMatchObject({ kind: "unavailable" });
    house.openMeteo.serve = answer;
    await running.pass(HOUR_MS);
    expect(running.state.problem).toBeNull();
    await running.close();
  });

  test("wants to be left alone is, over a restart too", async () => {
    const house = new ForecastHouse(METEO);
    house.openMeteo.usedUp = "Daily";
    const first = await house.start();
    await first.pass(HOUR_MS);
    expect(first.state).toMatchObject({ problem: { kind: "rate-limited" }, nextFetchMs: expect.any(Number) });
    first.kill();
    house.openMeteo.usedUp = null;
    const second = await house.start();
    await second.pass(20 * HOUR_MS);
    expect(house.openMeteo.asked).toHaveLength(1);
    await second.pass(5 * HOUR_MS);
    expect(second.state.problem).toBeNull();
    await second.close();
  });

  test("says Retry-After is left alone for that, and by chance for longer after each failure", async () => {
    const house = new ForecastHouse(METEO);
    house.openMeteo.serve = () => ({ status: 503, headers: { "retry-after": "5400" }, body: "" });
    const asked: number[] = [];
    const answer = house.openMeteo.serve.bind(house.openMeteo);
    house.openMeteo.serve = (request) => {
      asked.push(request.atMs);
      return answer(request);
    };
    const running = await house.start();
    await running.pass(6 * HOUR_MS);
    const pauses = asked.slice(1).map((atMs, index) => atMs - asked[index]!);
    expect(pauses.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(90 * MINUTE_MS);
    await running.close();
  });

  test("wants rest for years gets a day of it", async () => {
    const house = new ForecastHouse(METEO);
    house.openMeteo.serve = () => ({ status: 429, headers: { "retry-after": "99999999" }, body: "" });
    const running = await house.start();
    await running.pass(HOUR_MS);
    expect(running.state.nextFetchMs).toBeLessThan(house.nowMs + 27 * HOUR_MS);
    let asked = 0;
    house.openMeteo.serve = () => {
      asked += 1;
      return { status: 503 };
    };
    await running.pass(20 * HOUR_MS);
    expect(asked).toBe(0);
    await running.pass(7 * HOUR_MS);
    expect(asked).toBeGreaterThan(0);
    await running.close();
  });

  test("fails is asked again after a minute at first and half an hour in the end", async () => {
    const house = new ForecastHouse(METEO);
    house.openMeteo.trouble = "down";
    const running = await house.start();
    await running.pass(8 * HOUR_MS);
    const asked = askedAt(house.openMeteo);
    const pauses = asked.slice(1).map((atMs, index) => atMs - asked[index]!);
    expect(pauses[0]).toBeLessThanOrEqual(2 * MINUTE_MS);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(32 * MINUTE_MS);
    expect(Math.min(...pauses.slice(6))).toBeGreaterThanOrEqual(14 * MINUTE_MS);
    expect(new Set(pauses).size).toBeGreaterThan(pauses.length / 2);
    await running.close();
  });

  test("tells of other centuries, of more than panels give, or of nothing has told nothing", async () => {
    const house = new ForecastHouse(SOLAR);
    const running = await house.start();
    await running.pass(5 * MINUTE_MS);
    const known = running.ahead();
    const bodies = [
      { "9999-01-01T00:00:00+00:00": 0, "9999-01-01T01:00:00+00:00": 1_000 },
      { "1999-01-01T00:00:00+00:00": 0, "1999-01-01T01:00:00+00:00": 1_000 },
      { "2026-06-21T10:00:00+00:00": 0, "2026-06-21T11:00:00+00:00": 1e9 },
      [],
    ];
    for (const rows of bodies) {
      house.forecastSolar.serve = () => ({ body: JSON.stringify({ result: { watt_hours_period: rows } }) });
      await running.pass(2 * HOUR_MS);
      expect(running.state.problem?.kind).toMatch(/^(empty|malformed)$/);
      expect(running.forecasts.between(known[0]!.fromMs, known.at(-1)!.toMs)).toEqual(known);
    }
    await running.close();
  });
});

test.each([
  ["more than two megabytes", `{"forecasts":[${"0,".repeat(1_100_000)}0]}`],
  ["a hundred thousand levels", "[".repeat(100_000)],
  ["what is no text", "\u0000\u0001"],
])("%s is no forecast, and hurts nobody", async (_name, body) => {
  const house = new ForecastHouse(SOLCAST);
  house.solcast.serve = () => ({ body });
  const running = await house.start();
  await running.pass(2 * MINUTE_MS);
  expect(running.state.problem).toMatchObject({ kind: "malformed" });
  expect(running.ahead()).toEqual([]);
  await running.close();
});

describe("in the polar night", () => {
  test.each([
    ["forecast.solar, which tells nothing then", SOLAR],
    ["open-meteo", METEO],
  ])("nothing comes, and that is known: %s", async (_name, settings) => {
    const house = new ForecastHouse({ ...settings, place: SVALBARD }, { startMs: Date.UTC(2026, 11, 20) });
    house.forecastSolar.zone = "Europe/Oslo";
    const running = await house.start();
    await running.pass(10 * MINUTE_MS);
    const slots = running.ahead();
    expect(slots.length).toBeGreaterThanOrEqual(95);
    expect(new Set(slots.map(({ powerW }) => powerW))).toEqual(new Set([0]));
    expect(running.state.problem).toBeNull();
    await running.close();
  });
});

describe("the clock", () => {
  test("that was years ahead costs one day's quota, not those of years", async () => {
    const house = new ForecastHouse({ ...SOLCAST, sites: [...SITE_IDS] });
    const startMs = house.nowMs;
    house.world.clock.setWallMs(startMs + 4 * 365 * DAY_MS);
    house.solcast.trouble = "down";
    const wrong = await house.start();
    await wrong.pass(12 * HOUR_MS);
    const spent = house.solcast.asked.length;
    expect(spent).toBeGreaterThan(7);
    wrong.kill();
    house.world.clock.setWallMs(startMs + 12 * HOUR_MS);
    const right = await house.start();
    await right.pass(12 * HOUR_MS);
    expect(house.solcast.asked.length - spent).toBeLessThanOrEqual(2);
    await right.pass(14 * HOUR_MS);
    expect(house.solcast.asked.length - spent).toBeGreaterThan(2);
    await right.close();
  });

  test("has to be set first", async () => {
    const house = new ForecastHouse(METEO);
    house.world.clock.setQuality("unset");
    const running = await house.start();
    await running.pass(HOUR_MS);
    expect(house.openMeteo.asked).toEqual([]);
    expect(running.state).toMatchObject({ nextFetchMs: null, problem: { kind: "clock-not-set" } });
    house.world.clock.setQuality("synced");
    await running.pass(5 * MINUTE_MS);
    expect(running.state.problem).toBeNull();
    expect(running.ahead().length).toBeGreaterThan(96);
    await running.close();
  });

  test("that was years ahead for a while stops nothing for years", async () => {
    const house = new ForecastHouse(SOLAR);
    const startMs = house.nowMs;
    house.world.clock.setWallMs(startMs + 4 * 365 * DAY_MS);
    const wrong = await house.start();
    await wrong.pass(2 * HOUR_MS);
    expect(house.forecastSolar.asked.length).toBeGreaterThanOrEqual(1);
    await wrong.close();
    house.world.clock.setWallMs(startMs + 2 * HOUR_MS);
    const before = house.forecastSolar.asked.length;
    const right = await house.start();
    await right.pass(2 * HOUR_MS);
    expect(house.forecastSolar.asked.length).toBeGreaterThan(before);
    expect(right.ahead().length).toBeGreaterThan(96);
    expect(right.state.knownUntilMs).toBeLessThan(house.nowMs + 3 * DAY_MS);
    await right.close();
  });
});
