import { describe, expect, test } from "vitest";
import { cut, DAY, HOUR, MINUTE, makeMarketHome, shown, truth } from "./market-home.ts";

/** 08:00 in Berlin. */
const MORNING = "2026-11-20T07:00Z";
const MIDNIGHT = Date.parse("2026-11-19T23:00Z");

describe("market prices", () => {
  test("Today's prices are fetched at once, tomorrow's when they are published, and each day only once", async () => {
    const { world, book, twin, start } = makeMarketHome(MORNING);
    const { service } = await start();
    await world.clock.advance(MINUTE);
    expect(shown(service, MIDNIGHT, MIDNIGHT + 3 * DAY)).toEqual(truth(book, "2026-11-20"));
    const requests = () => twin.asked.filter(({ url }) => Number(url.searchParams.get("start")) * 1_000 >= MIDNIGHT);
    await world.clock.advance(4.9 * HOUR);
    expect(requests()).toHaveLength(1);
    await world.clock.advance(20 * MINUTE);
    expect(shown(service, MIDNIGHT, MIDNIGHT + 3 * DAY)).toEqual(truth(book, "2026-11-20", "2026-11-21"));
    await world.clock.advance(18 * HOUR);
    expect(requests()).toHaveLength(2);
  });

  test("Late prices are requested until they are published, at growing intervals", async () => {
    const { world, book, twin, start } = makeMarketHome(MORNING);
    book.late.set("2026-11-21", 300);
    const { service } = await start();
    await world.clock.advance(5.5 * HOUR);
    const before = twin.asked.length;
    expect(service.status()).toMatchObject({ problem: null, knownUntilMs: MIDNIGHT + DAY });
    await world.clock.advance(6 * HOUR);
    expect(shown(service, MIDNIGHT + DAY, MIDNIGHT + 2 * DAY)).toEqual(truth(book, "2026-11-21"));
    expect(twin.asked.length - before).toBeLessThan(12);
  });

  test("Gaps in the prices stay unknown until the source fills them", async () => {
    const { world, book, start } = makeMarketHome(MORNING);
    const missing = [MIDNIGHT + 10 * HOUR, MIDNIGHT + 10 * HOUR + 15 * MINUTE];
    for (const at of missing) book.gaps.add(at);
    const { service } = await start();
    await world.clock.advance(MINUTE);
    expect(shown(service, MIDNIGHT, MIDNIGHT + DAY)).toEqual(truth(book, "2026-11-20"));
    expect(service.consumer(MIDNIGHT + 10 * HOUR, MIDNIGHT + 10.5 * HOUR)).toEqual([]);
    book.gaps.clear();
    await world.clock.advance(HOUR);
    expect(service.consumer(MIDNIGHT + 10 * HOUR, MIDNIGHT + 10.5 * HOUR)).toHaveLength(2);
  });

  test.each([
    ["2026-10-25", 100, "2026-10-24T22:00Z"],
    ["2027-03-28", 92, "2027-03-27T23:00Z"],
  ])("The day of the clock change %s has prices for %i quarter hours", async (date, quarters, startsAt) => {
    const { world, book, start } = makeMarketHome(startsAt);
    const { service } = await start();
    await world.clock.advance(MINUTE);
    const known = shown(service, Date.parse(startsAt), Date.parse(startsAt) + 2 * DAY);
    expect(known).toHaveLength(quarters);
    expect(known).toEqual(truth(book, date));
  });

  test("New prices are reported to observers, and a query is cut to its span", async () => {
    const { world, start } = makeMarketHome(MORNING);
    const { service } = await start();
    let calls = 0;
    using _observing = service.observe(() => {
      calls += 1;
    });
    await world.clock.advance(10_000);
    expect(calls).toBeGreaterThan(0);
    const fromMs = MIDNIGHT + 20 * MINUTE;
    const slots = service.between(null, fromMs, fromMs + 20 * MINUTE);
    expect(slots.map((slot) => [slot.fromMs - MIDNIGHT, slot.toMs - MIDNIGHT])).toEqual([
      [20 * MINUTE, 30 * MINUTE],
      [30 * MINUTE, 40 * MINUTE],
    ]);
  });

  test("Prices of the week before are fetched once each, for the statistics", async () => {
    const { world, book, twin, start } = makeMarketHome(MORNING);
    book.late.set("2026-11-15", Number.POSITIVE_INFINITY);
    const { service } = await start();
    await world.clock.advance(HOUR);
    expect(shown(service, MIDNIGHT - DAY, MIDNIGHT)).toEqual(truth(book, "2026-11-19"));
    expect(service.consumer(MIDNIGHT - 5 * DAY, MIDNIGHT - 4 * DAY)).toEqual([]);
    expect(twin.asked).toHaveLength(8);
  });
});

describe("market prices without internet", () => {
  test("Known prices stay for 48 hours without internet, even after a power cut, and missing days come later", async () => {
    const home = makeMarketHome(MORNING);
    const { world, book, disk, start } = home;
    const first = await start();
    await world.clock.advance(8 * HOUR);
    const known = shown(first.service, MIDNIGHT - 7 * DAY, MIDNIGHT + 9 * DAY);
    expect(known.at(-1)?.toMs).toBe(MIDNIGHT + 2 * DAY);
    cut(home, true);
    await world.clock.advance(5 * HOUR);
    first.process.kill();
    disk.crash();
    await world.clock.advance(HOUR);
    const { service, process } = await start();
    expect(shown(service, MIDNIGHT - 7 * DAY, MIDNIGHT + 9 * DAY)).toEqual(known);
    await world.clock.advance(42 * HOUR);
    expect(shown(service, MIDNIGHT - 7 * DAY, MIDNIGHT + 9 * DAY)).toEqual(known);
    expect(service.status()).toMatchObject({
      problem: { kind: "unreachable", text: "api.energy-charts.info cannot be resolved", sinceMs: expect.any(Number) },
    });
    expect(
      process.log.lines.filter(({ text }) => text === "cannot fetch market prices; known prices are kept"),
    ).toHaveLength(1);
    cut(home, false);
    await world.clock.advance(11 * MINUTE);
    expect(shown(service, MIDNIGHT, MIDNIGHT + 9 * DAY)).toEqual(
      truth(book, "2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"),
    );
    expect(service.status().problem).toBeNull();
  });

  test("Market prices are written to disk once a day", async () => {
    const { world, start } = makeMarketHome(MORNING);
    const { commits } = await start();
    await world.clock.advance(HOUR);
    const before = commits();
    await world.clock.advance(5 * DAY);
    expect(commits() - before).toBe(5);
  });

  test("Prices that could not be stored are fetched again", async () => {
    const { world, disk, book, start } = makeMarketHome(MORNING);
    const { service, process } = await start();
    await world.clock.advance(HOUR);
    disk.failWrites("lost");
    await world.clock.advance(6 * HOUR);
    expect(process.log.texts("warn")).toContain("cannot store market prices; will fetch the day again");
    expect(shown(service, MIDNIGHT, MIDNIGHT + 2 * DAY)).toEqual(truth(book, "2026-11-20", "2026-11-21"));
  });

  test("Prices older than 400 days are deleted, also those of other markets", async () => {
    const { world, start } = makeMarketHome(MORNING);
    const old = { market: "other X EUR", date: "2025-10-10", fetchedAtMs: 0, runs: [] };
    const { store } = await start();
    await world.clock.resolve(
      store.commit([{ table: "market-day", key: "other X EUR 2025-10-10", put: old }], []),
      MINUTE,
    );
    await world.clock.advance(DAY);
    expect(store.get("market-day", "other X EUR 2025-10-10")).toBeNull();
  });
});
