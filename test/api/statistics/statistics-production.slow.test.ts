import { describe, expect, test } from "vitest";
import type { ProductionStatistics } from "../../../src/domain/statistics/statistics.ts";
import { MINUTE_MS, openSite, START } from "./statistics-site.ts";

const HOUR_MS = 60 * MINUTE_MS;

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
