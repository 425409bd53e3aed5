import { describe, expect, test } from "vitest";
import type { ChargingSession, ChargingStatistics, ProductionStatistics } from "../../src/domain/statistics.ts";
import type { FakeDevice } from "../../src/testing/fake-adapter.ts";
import { chargerOptions, makeHome } from "../engine/home.ts";
import { openRealHouse, type RealHouse } from "./support/real-house.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const BERLIN = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };

interface Site {
  readonly house: RealHouse;
  readonly charger: FakeDevice;
  readonly inverter: FakeDevice;
  readonly ids: { readonly charger: string; readonly inverter: string };
  /** The charger gives this power for a time, without a counter. */
  charge(powerW: number, minutes: number): Promise<void>;
  get<Body>(url: string, query?: Readonly<Record<string, string>>): Promise<Body>;
}

/** A charger and an inverter that are read once a minute, from 2026-06-21T00:00Z on. */
async function openSite(): Promise<Site> {
  const home = makeHome();
  const { controls: _controls, ...asCharger } = chargerOptions();
  const charger = home.add("charger", { ...asCharger, pollMs: MINUTE_MS });
  const inverter = home.add("inverter", { values: { "inverter.power": 0 }, pollMs: MINUTE_MS });
  const house = await openRealHouse({ home });
  await house.pass(2 * MINUTE_MS);
  const idOf = async (kind: string): Promise<string> => {
    const list = (await house.ask({ method: "GET", url: `/${kind}` })).json<{ data: { id: string }[] }>();
    return list.data[0]!.id;
  };
  const get = async <Body>(url: string, query: Readonly<Record<string, string>> = {}): Promise<Body> => {
    const answer = await house.ask({ method: "GET", url, query });
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json<Body>();
  };
  return {
    house,
    charger,
    inverter,
    ids: { charger: await idOf("chargers"), inverter: await idOf("inverters") },
    charge: async (powerW, minutes) => {
      charger.show("charger.power", powerW);
      charger.show("charger.state", powerW > 0 ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:STOPPED");
      await house.pass(minutes * MINUTE_MS);
    },
    get,
  };
}

async function setTariff({ house, ids }: Site): Promise<string> {
  const created = await house.ask({ method: "POST", url: "/users/home/locations", payload: BERLIN });
  const { id } = created.json<{ id: string }>();
  const rates = [
    { name: "night", cost: "0.1" },
    { name: "day", cost: "0.3" },
    { name: "gift", cost: "-0.05" },
  ];
  await house.ask({ method: "PUT", url: "/tariffs/t1", payload: rates });
  const tariffIntervals = [
    { name: "night", from: "00:00", to: "06:00" },
    { name: "day", from: "06:00", to: "12:00" },
    { name: "gift", from: "12:00", to: "13:07" },
  ];
  const linked = await house.ask({
    method: "PUT",
    url: `/locations/${id}/tariff`,
    payload: { tariffId: "t1", tariffIntervals },
  });
  expect(linked.statusCode, linked.body).toBe(204);
  const placed = await house.ask({ method: "PUT", url: `/chargers/${ids.charger}`, payload: { locationId: id } });
  expect(placed.statusCode, placed.body).toBe(200);
  return id;
}

const CHARGING = "/users/home/statistics/charging";
const START = "2026-06-21T00:00:00Z";

describe("charging statistics", () => {
  test("the energy of a charge, by the hour, with what is not known as nulls and zeros", async () => {
    const site = await openSite();
    await using house = site.house;
    await site.charge(0, 58);
    await site.charge(6_000, 120);
    await site.charge(0, 60);
    const hours = await site.get<ChargingStatistics[]>(CHARGING, {
      type: "charger",
      startDate: START,
      resolution: "HOUR",
    });
    expect(hours.map(({ date }) => date)).toStrictEqual(
      ["2026-06-21T01:00:00.000Z", "2026-06-21T02:00:00.000Z"].concat(
        hours.length > 2 ? ["2026-06-21T03:00:00.000Z"] : [],
      ),
    );
    expect(hours[1]).toStrictEqual({
      kw: { min: 6, max: 6, mean: 6 },
      kwhSum: 6,
      price: { min: 0, max: 0, mean: 0 },
      costSum: 0,
      nonSmartPrice: { min: null, max: null, mean: null },
      estimatedSavings: null,
      date: "2026-06-21T02:00:00.000Z",
    });
    const [day] = await site.get<ChargingStatistics[]>(CHARGING, { type: "charger", startDate: START });
    expect(day?.kwhSum).toBeCloseTo(12, 1);
    void house;
  });

  test("what it cost: each kWh at its price, by the location's clock, negative prices and gaps too", async () => {
    const site = await openSite();
    await using house = site.house;
    await setTariff(site);
    await site.charge(6_000, 13 * 60);
    const query = { type: "charger", startDate: "2026-06-21T03:00:00Z", endDate: "2026-06-21T12:00:00Z" };
    const [day] = await site.get<ChargingStatistics[]>(CHARGING, query);
    // Berlin is two hours ahead: an hour of night, six of day, 67 minutes of gift, the rest has no price.
    const expected = 6 * 0.1 + 36 * 0.3 - 6.7 * 0.05;
    expect(day?.kwhSum).toBe(54);
    expect(day?.costSum).toBe(Math.round(expected * 1e9) / 1e9);
    expect(day?.price).toStrictEqual({ min: -0.05, max: 0.3, mean: Math.round((expected / 48.7) * 1e9) / 1e9 });
    void house;
  });

  test("days follow utcOffset, hours do not, and the sums stay", async () => {
    const site = await openSite();
    await using house = site.house;
    await site.charge(3_000, 30 * 60);
    const dates = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const found = await site.get<ChargingStatistics[]>(CHARGING, { type: "charger", startDate: START, ...query });
      const sum = found.reduce((total, { kwhSum }) => total + kwhSum, 0);
      expect(sum).toBeGreaterThan(89);
      expect(sum).toBeLessThanOrEqual(90);
      return found.map(({ date }) => date);
    };
    expect(await dates({})).toStrictEqual(["2026-06-21T00:00:00.000Z", "2026-06-22T00:00:00.000Z"]);
    expect(await dates({ utcOffset: "-5.5" })).toStrictEqual([
      "2026-06-20T05:30:00.000Z",
      "2026-06-21T05:30:00.000Z",
      "2026-06-22T05:30:00.000Z",
    ]);
    expect(await dates({ resolution: "WEEK" })).toStrictEqual(["2026-06-15T00:00:00.000Z", "2026-06-22T00:00:00.000Z"]);
    expect(await dates({ resolution: "MONTH" })).toStrictEqual(["2026-06-01T00:00:00.000Z"]);
    expect(await dates({ resolution: "YEAR", utcOffset: "2" })).toStrictEqual(["2025-12-31T22:00:00.000Z"]);
    expect(await dates({ resolution: "HOUR", utcOffset: "0.5" })).toHaveLength(31);
    expect((await dates({ resolution: "QUARTER_HOUR" })).length).toBe(121);
    expect((await dates({ resolution: "HALF_HOUR" })).length).toBe(61);
    void house;
  });

  test("a question that makes no sense is refused, one about nothing is answered with nothing", async () => {
    const site = await openSite();
    await using house = site.house;
    const status = async (query: Readonly<Record<string, string>>, user = "home"): Promise<string> => {
      const answer = await house.ask({ method: "GET", url: `/users/${user}/statistics/charging`, query });
      return `${answer.statusCode} ${answer.json<{ title?: string }>().title ?? ""}`.trim();
    };
    const good = { type: "charger", startDate: START };
    expect(await status(good)).toBe("200");
    expect(await status({ type: "charger" })).toBe("400 Bad Request");
    expect(await status({ startDate: START })).toBe("400 Bad Request");
    expect(await status({ ...good, type: "battery" })).toBe("400 Bad Request");
    expect(await status({ ...good, startDate: "yesterday" })).toBe("400 Bad Request");
    expect(await status({ ...good, endDate: "2026-06-20T00:00:00Z" })).toBe("400 Bad Request");
    expect(await status({ ...good, resolution: "FORTNIGHT" })).toBe("400 Bad Request");
    expect(await status({ ...good, utcOffset: "east" })).toBe("400 Bad Request");
    expect(await status({ ...good, id: "nobody" })).toBe("404 Asset not found");
    expect(await status({ ...good, id: site.ids.inverter })).toBe("404 Asset not found");
    expect(await status(good, "stranger")).toBe("404 User does not exist");
    expect(await site.get(CHARGING, { ...good, type: "hvac" })).toStrictEqual([]);
    expect(await site.get(CHARGING, { ...good, id: site.ids.charger })).toStrictEqual([]);
  });
});

describe("sessions", () => {
  const SESSIONS = `${CHARGING}/sessions`;

  test("a session has its edges, its energy and its money, and appears when it is over", async () => {
    const site = await openSite();
    await using house = site.house;
    const locationId = await setTariff(site);
    await site.charge(0, 58);
    await site.charge(6_000, 60);
    const query = { type: "charger", startDate: START };
    expect(await site.get(SESSIONS, query)).toStrictEqual([]);
    await site.charge(0, 15);
    const [session, ...more] = await site.get<ChargingSession[]>(SESSIONS, query);
    expect(more).toStrictEqual([]);
    expect(session).toMatchObject({
      id: site.ids.charger,
      locationId,
      kw: { min: 6, max: 6, mean: 6 },
      estimatedSavings: null,
    });
    const lengthMs = Date.parse(session!.to) - Date.parse(session!.from);
    expect(lengthMs).toBe(59 * MINUTE_MS);
    expect(session!.kwhSum).toBe(6);
    expect(session!.costSum).toBe(0.6);
    void house;
  });

  test("a session that reaches beyond the asked time is given whole, others are not given", async () => {
    const site = await openSite();
    await using house = site.house;
    await site.charge(4_000, 600);
    await site.charge(0, 120);
    await site.charge(4_000, 60);
    await site.charge(0, 300);
    const all = await site.get<ChargingSession[]>(SESSIONS, { type: "charger", startDate: START });
    expect(all).toHaveLength(2);
    const middle = { startDate: "2026-06-21T05:00:00Z", endDate: "2026-06-21T06:00:00Z" };
    expect(await site.get(SESSIONS, { type: "charger", ...middle })).toStrictEqual([all[0]]);
    const after = { type: "charger", startDate: "2026-06-21T16:00:00Z" };
    expect(await site.get(SESSIONS, after)).toStrictEqual([]);
    void house;
  });

  test("the sessions' energy is that of the series, whatever the charger does", async () => {
    const site = await openSite();
    await using house = site.house;
    await site.charge(0, 10);
    for (const [powerW, minutes] of [
      [7_000, 45],
      [0, 3],
      [1_500, 20],
      [0, 90],
      [11_000, 200],
      [0, 30],
    ] as const) {
      await site.charge(powerW, minutes);
    }
    const query = { type: "charger", startDate: START };
    const sum = (entries: readonly { kwhSum: number }[]): number =>
      entries.reduce((all, { kwhSum }) => all + kwhSum, 0);
    const sessions = await site.get<ChargingSession[]>(SESSIONS, query);
    expect(sessions).toHaveLength(3);
    expect(sum(sessions)).toBeCloseTo(sum(await site.get<ChargingStatistics[]>(CHARGING, query)), 6);
    void house;
  });
});

describe("production", () => {
  test("an inverter's days with its earnings, in each older form too", async () => {
    const site = await openSite();
    await using house = site.house;
    site.inverter.show("inverter.power", 2_000);
    await house.pass(26 * HOUR_MS);
    const query = { startDate: START, resolution: "DAY" };
    const [first, second] = await site.get<ProductionStatistics[]>("/users/home/statistics/production", query);
    expect(first).toMatchObject({ kw: { min: 2, max: 2, mean: 2 }, earningsSum: 0, date: "2026-06-21T00:00:00.000Z" });
    expect(first!.kwhSum + second!.kwhSum).toBeCloseTo(52, 1);
    const vendor = { resolution: "HOUR", startDate: "2026-06-21T10:00:00Z", endDate: "2026-06-21T12:30:00Z" };
    const expected = {
      production: {
        unit: "kWh",
        data: [10, 11, 12].map((hour) => ({ date: `2026-06-21T${hour}:00:00.000Z`, value: 2 })),
      },
    };
    expect(await site.get(`/inverters/${site.ids.inverter}/vendor-statistics`, vendor)).toStrictEqual(expected);
    const byUser = { ...vendor, inverterId: site.ids.inverter };
    expect(await site.get("/users/home/vendor-statistics", byUser)).toStrictEqual(expected);
    const days = { resolution: "DAY", startDate: "2026-06-21T10:00:00Z", endDate: "2026-06-21T12:30:00Z" };
    const daily = await site.get<{ production: { data: { date: string }[] } }>(
      `/inverters/${site.ids.inverter}/vendor-statistics`,
      days,
    );
    // The inverter's day, in Berlin.
    expect(daily.production.data.map(({ date }) => date)).toStrictEqual(["2026-06-20T22:00:00.000Z"]);
  });

  test("vendor statistics begin on an hour and span a month at most", async () => {
    const site = await openSite();
    await using house = site.house;
    const status = async (query: Readonly<Record<string, string>>, id = site.ids.inverter): Promise<number> => {
      return (await house.ask({ method: "GET", url: `/inverters/${id}/vendor-statistics`, query })).statusCode;
    };
    expect(await status({ resolution: "DAY", startDate: "2026-06-20T00:00:00Z" })).toBe(200);
    expect(await status({ resolution: "DAY", startDate: "2026-06-20T00:30:00Z" })).toBe(400);
    expect(await status({ resolution: "WEEK", startDate: "2026-06-20T00:00:00Z" })).toBe(400);
    expect(await status({ resolution: "DAY", startDate: "2026-05-01T00:00:00Z" })).toBe(400);
    expect(await status({ resolution: "DAY", startDate: "2026-06-22T00:00:00Z" })).toBe(400);
    expect(await status({ resolution: "DAY", startDate: "2026-06-20T00:00:00Z" }, site.ids.charger)).toBe(404);
  });
});

describe("inverter statistics", () => {
  interface Answer {
    readonly timezone: string;
    readonly resolutions: Readonly<
      Record<string, { readonly data: readonly { date: string; value: number | null }[] }>
    >;
    readonly retryAfter?: string;
  }

  test("a running day is 202 with nulls ahead, a past one is 200, and news follow", async () => {
    const site = await openSite();
    await using house = site.house;
    site.inverter.show("inverter.power", 4_000);
    await house.pass(6 * HOUR_MS);
    const url = `/inverters/${site.ids.inverter}/statistics?year=2026&month=6&day=21`;
    const running = await house.ask({ method: "GET", url });
    expect(running.statusCode).toBe(202);
    const body = running.json<Answer>();
    expect(body.timezone).toBe("Europe/Berlin");
    const { data } = body.resolutions["QUARTER_HOUR"]!;
    expect(data).toHaveLength(96);
    expect(data[0]).toStrictEqual({ date: "2026-06-21T00:00:00+02:00", value: null });
    expect(data[16]).toStrictEqual({ date: "2026-06-21T04:00:00+02:00", value: 1 });
    expect(data.at(-1)).toStrictEqual({ date: "2026-06-21T23:45:00+02:00", value: null });
    expect(Date.parse(body.retryAfter!)).toBeGreaterThan(house.home.world.clock.nowMs());
    await house.pass(20 * HOUR_MS);
    const done = await house.ask({ method: "GET", url });
    expect(done.statusCode).toBe(200);
    const journal = await house.run.store.journalAfter(null, 10_000);
    const news = journal.filter(({ event }) => event === "user:inverter:statistics-updated");
    expect(news.length).toBeGreaterThan(10);
    expect(news.length).toBeLessThan(90);
    expect(news.at(-1)?.payload).toMatchObject({
      user: { id: "home" },
      statistics: { inverterId: site.ids.inverter, year: 2026, month: 6, day: 21, ...done.json<Answer>() },
    });
  });

  test("a month has its days; before the installation and off the calendar there is nothing to ask", async () => {
    const site = await openSite();
    await using house = site.house;
    const ask = (query: string) =>
      house.ask({ method: "GET", url: `/inverters/${site.ids.inverter}/statistics?${query}` });
    const month = await ask("year=2026&month=6");
    expect(month.statusCode).toBe(202);
    expect(month.json<Answer>().resolutions["DAY"]!.data).toHaveLength(30);
    for (const query of [
      "year=2026&month=5",
      "year=2026&month=6&day=20",
      "year=2026&month=6&day=31",
      "year=1968&month=1",
      "year=2026",
      "month=6",
      "year=2026&month=13",
    ]) {
      expect((await ask(query)).statusCode, query).toBe(400);
    }
    const stranger = await house.ask({
      method: "GET",
      url: `/inverters/${site.ids.charger}/statistics?year=2026&month=6`,
    });
    expect(`${stranger.statusCode} ${stranger.json<{ title: string }>().title}`).toBe("404 Asset not found");
  });
});
