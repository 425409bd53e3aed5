/** Failing or refusing sources, which must not change the known forecast. */
import { describe, expect, test } from "vitest";
import type { CloudTrouble } from "../../twins/clouds/cloud-twin.ts";
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
    "A forecast source in trouble (%s) keeps the known forecast and is reported as %s until it recovers",
    async (trouble, kind) => {
      const home = new ForecastHome(settings);
      const running = await home.start();
      await running.pass(5 * MINUTE_MS);
      const known = running.ahead();
      for (const twin of [home.forecastSolar, home.openMeteo, home.solcast]) twin.trouble = trouble;
      await running.pass(7 * HOUR_MS);
      expect(running.state.problem).toMatchObject({ kind });
      expect(running.state.nextFetchMs).toBeGreaterThan(home.nowMs);
      expect(running.forecasts.between(known[0]!.fromMs, known.at(-1)!.toMs)).toEqual(known);
      expect(running.process.log.texts("warn")).toEqual(["cannot fetch the forecast; the last one is kept"]);
      for (const twin of [home.forecastSolar, home.openMeteo, home.solcast]) twin.trouble = null;
      await running.pass(DAY_MS);
      expect(running.state.problem).toBeNull();
      expect(running.process.log.texts("info")).toContain("forecast fetched again");
      await running.close();
    },
  );
});

describe("forecast sources", () => {
  test("A source that answers for one plane and fails for the other gives no forecast", async () => {
    const home = new ForecastHome({ ...METEO, planes: [SOUTH_ROOF, { ...SOUTH_ROOF, azimuth: 90 }] });
    const answer = home.openMeteo.serve.bind(home.openMeteo);
    home.openMeteo.serve = (request) => (request.path.includes("azimuth=-90") ? { status: 502 } : answer(request));
    const running = await home.start();
    await running.pass(10 * MINUTE_MS);
    expect(running.ahead()).toEqual([]);
    expect(running.state.problem).toMatchObject({ kind: "unavailable", text: "api.open-meteo.com answered 502" });
    await running.close();
  });

  test("A source that refuses the key gets no further request, even after restarts, until the configuration changes", async () => {
    const home = new ForecastHome({ ...SOLCAST, key: "a-wrong-key" });
    for (let count = 0; count < 2; count += 1) {
      const running = await home.start();
      await running.pass(DAY_MS);
      expect(running.state).toMatchObject({ nextFetchMs: null, problem: { kind: "refused" } });
      expect(running.process.log.texts("error")).toEqual([
        "cannot fetch the forecast; will retry when the configuration changes",
      ]);
      running.kill();
    }
    expect(home.solcast.asked).toHaveLength(1);
    home.settings = SOLCAST;
    const changed = await home.start();
    await changed.pass(HOUR_MS);
    expect(changed.state.problem).toBeNull();
    expect(changed.ahead().length).toBe(2 * 96);
    await changed.close();
  });

  test.each([
    ["forecast-solar", { ...SOLAR, key: "a-wrong-key" }, 401],
    ["open-meteo", { ...METEO, key: "a-wrong-key" }, 400],
    ["solcast", { ...SOLCAST, sites: ["unknown-site"] }, 404],
  ])("The refusal of %s is reported with its status", async (_id, settings, status) => {
    const home = new ForecastHome(settings);
    const running = await home.start();
    await running.pass(10 * MINUTE_MS);
    expect(running.state.problem).toMatchObject({ kind: "refused", text: expect.stringContaining(String(status)) });
    await running.close();
  });

  test("A refusal with an HTML page is retried, because it comes from a proxy", async () => {
    const home = new ForecastHome(METEO);
    const answer = home.openMeteo.serve.bind(home.openMeteo);
    home.openMeteo.serve = () => ({
      status: 403,
      headers: { "content-type": "text/html" },
      body: "<html>sign in</html>",
    });
    const running = await home.start();
    await running.pass(10 * MINUTE_MS);
    expect(running.state.problem).toMatchObject({ kind: "unavailable" });
    home.openMeteo.serve = answer;
    await running.pass(HOUR_MS);
    expect(running.state.problem).toBeNull();
    await running.close();
  });

  test("A source that asks for a pause gets no request in it, even after a restart", async () => {
    const home = new ForecastHome(METEO);
    home.openMeteo.usedUp = "Daily";
    const first = await home.start();
    await first.pass(HOUR_MS);
    expect(first.state).toMatchObject({ problem: { kind: "rate-limited" }, nextFetchMs: expect.any(Number) });
    first.kill();
    home.openMeteo.usedUp = null;
    const second = await home.start();
    await second.pass(20 * HOUR_MS);
    expect(home.openMeteo.asked).toHaveLength(1);
    await second.pass(5 * HOUR_MS);
    expect(second.state.problem).toBeNull();
    await second.close();
  });

  test("A source that answers Retry-After gets no request before that time", async () => {
    const home = new ForecastHome(METEO);
    home.openMeteo.serve = () => ({ status: 503, headers: { "retry-after": "5400" }, body: "" });
    const asked: number[] = [];
    const answer = home.openMeteo.serve.bind(home.openMeteo);
    home.openMeteo.serve = (request) => {
      asked.push(request.atMs);
      return answer(request);
    };
    const running = await home.start();
    await running.pass(6 * HOUR_MS);
    const pauses = asked.slice(1).map((atMs, index) => atMs - asked[index]!);
    expect(pauses.length).toBeGreaterThanOrEqual(2);
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(90 * MINUTE_MS);
    await running.close();
  });

  test("A source that asks for a pause of years gets a pause of a day", async () => {
    const home = new ForecastHome(METEO);
    home.openMeteo.serve = () => ({ status: 429, headers: { "retry-after": "99999999" }, body: "" });
    const running = await home.start();
    await running.pass(HOUR_MS);
    expect(running.state.nextFetchMs).toBeLessThan(home.nowMs + 27 * HOUR_MS);
    let asked = 0;
    home.openMeteo.serve = () => {
      asked += 1;
      return { status: 503 };
    };
    await running.pass(20 * HOUR_MS);
    expect(asked).toBe(0);
    await running.pass(7 * HOUR_MS);
    expect(asked).toBeGreaterThan(0);
    await running.close();
  });

  test("A failing source is retried after a minute at first and every half hour in the end", async () => {
    const home = new ForecastHome(METEO);
    home.openMeteo.trouble = "down";
    const running = await home.start();
    await running.pass(8 * HOUR_MS);
    const asked = requestTimes(home.openMeteo);
    const pauses = asked.slice(1).map((atMs, index) => atMs - asked[index]!);
    expect(pauses[0]).toBeLessThanOrEqual(2 * MINUTE_MS);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(32 * MINUTE_MS);
    expect(Math.min(...pauses.slice(6))).toBeGreaterThanOrEqual(14 * MINUTE_MS);
    expect(new Set(pauses).size).toBeGreaterThan(pauses.length / 2);
    await running.close();
  });

  test("Slots of other centuries, implausible powers and empty answers are not accepted as a forecast", async () => {
    const home = new ForecastHome(SOLAR);
    const running = await home.start();
    await running.pass(5 * MINUTE_MS);
    const known = running.ahead();
    const bodies = [
      { "9999-01-01T00:00:00+00:00": 0, "9999-01-01T01:00:00+00:00": 1_000 },
      { "1999-01-01T00:00:00+00:00": 0, "1999-01-01T01:00:00+00:00": 1_000 },
      { "2026-06-21T10:00:00+00:00": 0, "2026-06-21T11:00:00+00:00": 1e9 },
      [],
    ];
    for (const rows of bodies) {
      home.forecastSolar.serve = () => ({ body: JSON.stringify({ result: { watt_hours_period: rows } }) });
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
  ["bytes that are not text", "\u0000\u0001"],
])("A forecast answer of %s is reported as malformed", async (_name, body) => {
  const home = new ForecastHome(SOLCAST);
  home.solcast.serve = () => ({ body });
  const running = await home.start();
  await running.pass(2 * MINUTE_MS);
  expect(running.state.problem).toMatchObject({ kind: "malformed" });
  expect(running.ahead()).toEqual([]);
  await running.close();
});

describe("polar night", () => {
  test.each([
    ["forecast.solar, which has no slots then", SOLAR],
    ["open-meteo", METEO],
  ])("In the polar night the forecast is 0 W without a problem: %s", async (_name, settings) => {
    const home = new ForecastHome({ ...settings, place: SVALBARD }, { startMs: Date.UTC(2026, 11, 20) });
    home.forecastSolar.zone = "Europe/Oslo";
    const running = await home.start();
    await running.pass(10 * MINUTE_MS);
    const slots = running.ahead();
    expect(slots.length).toBeGreaterThanOrEqual(95);
    expect(new Set(slots.map(({ powerW }) => powerW))).toEqual(new Set([0]));
    expect(running.state.problem).toBeNull();
    await running.close();
  });
});

describe("forecasts and the wall clock", () => {
  test("A clock that was years ahead uses up the quota for a day, not for years", async () => {
    const home = new ForecastHome({ ...SOLCAST, sites: [...SITE_IDS] });
    const startMs = home.nowMs;
    home.world.clock.setWallMs(startMs + 4 * 365 * DAY_MS);
    home.solcast.trouble = "down";
    const wrong = await home.start();
    await wrong.pass(12 * HOUR_MS);
    const spent = home.solcast.asked.length;
    expect(spent).toBeGreaterThan(7);
    wrong.kill();
    home.world.clock.setWallMs(startMs + 12 * HOUR_MS);
    const right = await home.start();
    await right.pass(12 * HOUR_MS);
    expect(home.solcast.asked.length - spent).toBeLessThanOrEqual(2);
    await right.pass(14 * HOUR_MS);
    expect(home.solcast.asked.length - spent).toBeGreaterThan(2);
    await right.close();
  });

  test("No forecast is requested before the clock is set", async () => {
    const home = new ForecastHome(METEO);
    home.world.clock.setQuality("unset");
    const running = await home.start();
    await running.pass(HOUR_MS);
    expect(home.openMeteo.asked).toEqual([]);
    expect(running.state).toMatchObject({ nextFetchMs: null, problem: { kind: "clock-not-set" } });
    home.world.clock.setQuality("synced");
    await running.pass(5 * MINUTE_MS);
    expect(running.state.problem).toBeNull();
    expect(running.ahead().length).toBeGreaterThan(96);
    await running.close();
  });

  test("A clock that was years ahead does not stop forecasts after it is corrected", async () => {
    const home = new ForecastHome(SOLAR);
    const startMs = home.nowMs;
    home.world.clock.setWallMs(startMs + 4 * 365 * DAY_MS);
    const wrong = await home.start();
    await wrong.pass(2 * HOUR_MS);
    expect(home.forecastSolar.asked.length).toBeGreaterThanOrEqual(1);
    await wrong.close();
    home.world.clock.setWallMs(startMs + 2 * HOUR_MS);
    const before = home.forecastSolar.asked.length;
    const right = await home.start();
    await right.pass(2 * HOUR_MS);
    expect(home.forecastSolar.asked.length).toBeGreaterThan(before);
    expect(right.ahead().length).toBeGreaterThan(96);
    expect(right.state.knownUntilMs).toBeLessThan(home.nowMs + 3 * DAY_MS);
    await right.close();
  });
});
