import { describe, expect, test } from "vitest";
import { cut, DAY, HOUR, MINUTE, makeMarketHouse, shown, truth } from "./market-house.ts";

/** 08:00 in Berlin. */
const MORNING = "2026-11-20T07:00Z";
const MIDNIGHT = Date.parse("2026-11-19T23:00Z");

describe("a day's prices", () => {
  test("are asked for at once, tomorrow's when they are published, each once, and kept as the market told them", async () => {
    const { world, book, twin, start } = makeMarketHouse(MORNING);
    const { keeper } = await start();
    await world.clock.advance(MINUTE);
    expect(shown(keeper, MIDNIGHT, MIDNIGHT + 3 * DAY)).toEqual(truth(book, "2026-11-20"));
    const asked = () => twin.asked.filter(({ url }) => Number(url.searchParams.get("start")) * 1_000 >= MIDNIGHT);
    await world.clock.advance(4.9 * HOUR);
    expect(asked()).toHaveLength(1);
    await world.clock.advance(20 * MINUTE);
    expect(shown(keeper, MIDNIGHT, MIDNIGHT + 3 * DAY)).toEqual(truth(book, "2026-11-20", "2026-11-21"));
    await world.clock.advance(18 * HOUR);
    expect(asked()).toHaveLength(2);
  });

  test("come late: the source is asked again until they are there, ever more rarely", async () => {
    const { world, book, twin, start } = makeMarketHouse(MORNING);
    book.late.set("2026-11-21", 300);
    const { keeper } = await start();
    await world.clock.advance(5.5 * HOUR);
    const before = twin.asked.length;
    expect(keeper.status()).toMatchObject({ problem: null, knownUntilMs: MIDNIGHT + DAY });
    await world.clock.advance(6 * HOUR);
    expect(shown(keeper, MIDNIGHT + DAY, MIDNIGHT + 2 * DAY)).toEqual(truth(book, "2026-11-21"));
    expect(twin.asked.length - before).toBeLessThan(12);
  });

  test("have gaps, which stay gaps, and are filled when the source fills them", async () => {
    const { world, book, start } = makeMarketHouse(MORNING);
    const missing = [MIDNIGHT + 10 * HOUR, MIDNIGHT + 10 * HOUR + 15 * MINUTE];
    for (const at of missing) book.gaps.add(at);
    const { keeper } = await start();
    await world.clock.advance(MINUTE);
    expect(shown(keeper, MIDNIGHT, MIDNIGHT + DAY)).toEqual(truth(book, "2026-11-20"));
    expect(keeper.consumer(MIDNIGHT + 10 * HOUR, MIDNIGHT + 10.5 * HOUR)).toEqual([]);
    book.gaps.clear();
    await world.clock.advance(HOUR);
    expect(keeper.consumer(MIDNIGHT + 10 * HOUR, MIDNIGHT + 10.5 * HOUR)).toHaveLength(2);
  });

  test.each([
    ["2026-10-25", 100, "2026-10-24T22:00Z"],
    ["2027-03-28", 92, "2027-03-27T23:00Z"],
  ])("on the day of the clocks, %s, are %i quarters", async (date, quarters, startsAt) => {
    const { world, book, start } = makeMarketHouse(startsAt);
    const { keeper } = await start();
    await world.clock.advance(MINUTE);
    const known = shown(keeper, Date.parse(startsAt), Date.parse(startsAt) + 2 * DAY);
    expect(known).toHaveLength(quarters);
    expect(known).toEqual(truth(book, date));
  });

  test("are told to who observes, and cut to the span that is asked for", async () => {
    const { world, start } = makeMarketHouse(MORNING);
    const { keeper } = await start();
    let told = 0;
    using _observing = keeper.observe(() => {
      told += 1;
    });
    await world.clock.advance(10_000);
    expect(told).toBeGreaterThan(0);
    const fromMs = MIDNIGHT + 20 * MINUTE;
    const slots = keeper.between(null, fromMs, fromMs + 20 * MINUTE);
    expect(slots.map((slot) => [slot.fromMs - MIDNIGHT, slot.toMs - MIDNIGHT])).toEqual([
      [20 * MINUTE, 30 * MINUTE],
      [30 * MINUTE, 40 * MINUTE],
    ]);
  });

  test("of the week before come afterwards, once each, for what statistics reckon", async () => {
    const { world, book, twin, start } = makeMarketHouse(MORNING);
    book.late.set("2026-11-15", Number.POSITIVE_INFINITY);
    const { keeper } = await start();
    await world.clock.advance(HOUR);
    expect(shown(keeper, MIDNIGHT - DAY, MIDNIGHT)).toEqual(truth(book, "2026-11-19"));
    expect(keeper.consumer(MIDNIGHT - 5 * DAY, MIDNIGHT - 4 * DAY)).toEqual([]);
    expect(twin.asked).toHaveLength(8);
  });
});

describe("without the internet", () => {
  test("48 hours with a power cut change nothing that was known, and afterwards the lost days come", async () => {
    const house = makeMarketHouse(MORNING);
    const { world, book, disk, start } = house;
    const first = await start();
    await world.clock.advance(8 * HOUR);
    const known = shown(first.keeper, MIDNIGHT - 7 * DAY, MIDNIGHT + 9 * DAY);
    expect(known.at(-1)?.toMs).toBe(MIDNIGHT + 2 * DAY);
    cut(house, true);
    await world.clock.advance(5 * HOUR);
    first.process.kill();
    disk.crash();
    await world.clock.advance(HOUR);
    const { keeper, process } = await start();
    expect(shown(keeper, MIDNIGHT - 7 * DAY, MIDNIGHT + 9 * DAY)).toEqual(known);
    await world.clock.advance(42 * HOUR);
    expect(shown(keeper, MIDNIGHT - 7 * DAY, MIDNIGHT + 9 * DAY)).toEqual(known);
    expect(keeper.status()).toMatchObject({
      problem: { kind: "unreachable", text: "api.energy-charts.info cannot be resolved", sinceMs: expect.any(Number) },
    });
    expect(process.log.lines.filter(({ text }) => text === "no market prices for now")).toHaveLength(1);
    cut(house, false);
    await world.clock.advance(11 * MINUTE);
    expect(shown(keeper, MIDNIGHT, MIDNIGHT + 9 * DAY)).toEqual(
      truth(book, "2026-11-20", "2026-11-21", "2026-11-22", "2026-11-23"),
    );
    expect(keeper.status().problem).toBeNull();
  });

  test("the disk is written once a day", async () => {
    const { world, start } = makeMarketHouse(MORNING);
    const { commits } = await start();
    await world.clock.advance(HOUR);
    const before = commits();
    await world.clock.advance(5 * DAY);
    expect(commits() - before).toBe(5);
  });

  test("a disk that refuses loses nothing: the day is asked for again", async () => {
    const { world, disk, book, start } = makeMarketHouse(MORNING);
    const { keeper, process } = await start();
    await world.clock.advance(HOUR);
    disk.failWrites("lost");
    await world.clock.advance(6 * HOUR);
    expect(process.log.texts("warn")).toContain("market prices cannot be kept");
    expect(shown(keeper, MIDNIGHT, MIDNIGHT + 2 * DAY)).toEqual(truth(book, "2026-11-20", "2026-11-21"));
  });

  test("days older than 400 go, those of other markets too", async () => {
    const { world, start } = makeMarketHouse(MORNING);
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
