import { describe, expect, test } from "vitest";
import type { ChargingSession, ChargingStatistics } from "../../../src/domain/statistics/statistics.ts";
import { MINUTE_MS, openSite, type Site, START } from "./statistics-site.ts";

const BERLIN = { name: "Home", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };

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
      isCostKnown: false,
      kwhPriced: 0,
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
    expect(day).toMatchObject({ kwhSum: 54, isCostKnown: false, kwhPriced: 48.7 });
    const hours = await site.get<ChargingStatistics[]>(CHARGING, { ...query, resolution: "HOUR" });
    const known = Object.fromEntries(hours.map(({ date, isCostKnown, kwhPriced }) => [date, [isCostKnown, kwhPriced]]));
    expect(known).toMatchObject({
      "2026-06-21T09:00:00.000Z": [true, 6],
      "2026-06-21T11:00:00.000Z": [false, 0.7],
    });
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
      isCostKnown: true,
      kwhPriced: 6,
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
