/** Every source beside its twin, over the keeper. */
import { describe, expect, test } from "vitest";
import { MARKETS } from "../../../adapters/prices/markets.ts";
import type { MarketSource } from "../../../src/sdk/market-source.ts";
import { AwattarTwin } from "../../../src/testing/markets/awattar-twin.ts";
import { EnergyChartsTwin } from "../../../src/testing/markets/energy-charts-twin.ts";
import { EntsoeTwin } from "../../../src/testing/markets/entsoe-twin.ts";
import type { MarketBook } from "../../../src/testing/markets/market-book.ts";
import type { MarketTwin } from "../../../src/testing/markets/market-twin.ts";
import { NordPoolTwin } from "../../../src/testing/markets/nord-pool-twin.ts";
import { OctopusTwin } from "../../../src/testing/markets/octopus-twin.ts";
import { TibberTwin } from "../../../src/testing/markets/tibber-twin.ts";
import type { World } from "../../../src/testing/world.ts";
import { DAY, HOUR, makeMarketHouse, shown, truth } from "../../engine/market/market-house.ts";

const TOKEN = "tok-3f9a-secret";
const HOME = "96a14971-525a-4420-aae9-e5aedaa129ff";

interface Case {
  readonly market: { readonly zone: string; readonly token?: string };
  readonly currency: string;
  readonly slotMinutes: number;
  /** How many units of the book's price one of the currency is. */
  readonly divisor: number;
  /** HH:MM in Berlin; the source tells tomorrow from then on. */
  readonly publishedAt: string;
  readonly twinOf: (world: World, book: MarketBook) => MarketTwin;
}

const CASES: Readonly<Record<string, Case>> = {
  awattar: {
    market: { zone: "DE" },
    currency: "EUR",
    slotMinutes: 60,
    divisor: 1_000,
    publishedAt: "13:55",
    twinOf: ({ clock }, book) => new AwattarTwin(clock, book),
  },
  "energy-charts": {
    market: { zone: "DE-LU" },
    currency: "EUR",
    slotMinutes: 15,
    divisor: 1_000,
    publishedAt: "12:57",
    twinOf: ({ clock }, book) => new EnergyChartsTwin(clock, book),
  },
  entsoe: {
    market: { zone: "DE-LU", token: TOKEN },
    currency: "EUR",
    slotMinutes: 15,
    divisor: 1_000,
    publishedAt: "12:57",
    twinOf: ({ clock }, book) => new EntsoeTwin(clock, book, TOKEN),
  },
  "nord-pool": {
    market: { zone: "SE3" },
    currency: "SEK",
    slotMinutes: 15,
    divisor: 1_000,
    publishedAt: "12:45",
    twinOf: ({ clock }, book) => new NordPoolTwin(clock, book),
  },
  octopus: {
    market: { zone: "E-1R-AGILE-24-10-01-C" },
    currency: "GBP",
    slotMinutes: 30,
    divisor: 100,
    publishedAt: "16:50",
    twinOf: ({ clock }, book) => new OctopusTwin(clock, book),
  },
  tibber: {
    market: { zone: HOME, token: TOKEN },
    currency: "NOK",
    slotMinutes: 15,
    divisor: 1_000,
    publishedAt: "12:55",
    twinOf: ({ clock }, book) => new TibberTwin(clock, book, { token: TOKEN, homeId: HOME, currency: "NOK" }),
  },
};

function caseOf({ id }: MarketSource): Case {
  const found = CASES[id];
  if (found === undefined) throw new Error(`${id} has no twin`);
  return found;
}

function houseOf(source: MarketSource, startsAt: string) {
  const { market, currency, slotMinutes, publishedAt, twinOf } = caseOf(source);
  const book = { slotMinutes, publishedAt };
  return makeMarketHouse(startsAt, { source, market, currency, twinOf, book });
}

describe.each(MARKETS.map((source) => [source.id, source] as const))("%s", (_id, source) => {
  const { divisor, slotMinutes } = caseOf(source);
  const told = (book: MarketBook, ...dates: string[]) =>
    truth(book, ...dates).map((slot) => ({ ...slot, perKwh: Number(((slot.perKwh * 1_000) / divisor).toFixed(5)) }));

  test("tells today and, once it is published, tomorrow; negative prices and gaps as they are", async () => {
    const { world, book, start } = houseOf(source, "2026-11-20T07:00Z");
    const midnight = Date.parse("2026-11-19T23:00Z");
    book.gaps.add(midnight + 5 * HOUR);
    const { keeper } = await start();
    await world.clock.advance(HOUR);
    expect(shown(keeper, midnight, midnight + 3 * DAY)).toEqual(told(book, "2026-11-20"));
    await world.clock.advance(9 * HOUR);
    const known = shown(keeper, midnight, midnight + 3 * DAY);
    expect(known).toEqual(told(book, "2026-11-20", "2026-11-21"));
    expect(known.some(({ perKwh }) => perKwh < 0)).toBe(true);
  });

  test.each([
    ["2026-10-25", "2026-10-24T22:00Z", 25],
    ["2027-03-28", "2027-03-27T23:00Z", 23],
  ])("tells the day of the clocks, %s", async (date, midnight, hours) => {
    const { world, book, start } = houseOf(source, midnight);
    const { keeper } = await start();
    await world.clock.advance(HOUR);
    const known = shown(keeper, Date.parse(midnight), Date.parse(midnight) + 2 * DAY);
    expect(known).toHaveLength((hours * 60) / slotMinutes);
    expect(known).toEqual(told(book, date));
  });

  test("says nothing of keys, whatever goes wrong", async () => {
    const said: string[] = [];
    for (const token of [TOKEN, `${TOKEN}-of-another`]) {
      const { world, twin, start } = houseOf(source, "2026-11-20T13:30Z");
      twin.trouble = "down";
      const { keeper, process } = await start({ token });
      for (const trouble of ["down", "hang", "break", "portal", "cut", "limited", null] as const) {
        twin.trouble = trouble;
        await world.clock.advance(HOUR);
        said.push(JSON.stringify(keeper.status()));
      }
      expect(twin.asked.length).toBeGreaterThan(10);
      said.push(JSON.stringify(process.log.lines, (_key, value) => (value instanceof Error ? value.stack : value)));
    }
    expect(said.join("\n")).not.toContain(TOKEN);
  });

  test("takes hostile bodies for what they are", async () => {
    const { market } = caseOf(source);
    const opened = source.open({ token: null, ...market, currency: caseOf(source).currency });
    if ("problem" in opened) throw new Error(opened.problem);
    const day = { date: "2026-11-20", fromMs: Date.parse("2026-11-19T23:00Z"), toMs: Date.parse("2026-11-20T23:00Z") };
    for (const body of HOSTILE) {
      const read = () => opened.read({ status: 200, body }, day);
      expect(read).toThrow(expect.objectContaining({ name: "MarketError" }));
    }
  });
});

const TEXTS = [
  "",
  "null",
  "[]",
  "{}",
  "<html><body>Welcome</body></html>",
  "<html><body>Welcome<p></body>",
  `${"[".repeat(10_000)}`,
  `${"<a>".repeat(10_000)}`,
  `<Publication_MarketDocument>${"<b></b>".repeat(60_000)}</Publication_MarketDocument>`,
  '{"data":null,"results":null,"multiAreaEntries":{},"unix_seconds":"x"}',
  '{"data":[1],"results":[1],"multiAreaEntries":[1],"unix_seconds":[null],"price":[],"unit":""}',
  '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;&b;&b;&b;">]><a>&c;</a>',
  '<?xml version="1.0"?><a>&c;</a>',
];
const HOSTILE = [...TEXTS.map((text) => new TextEncoder().encode(text)), Uint8Array.of(0xff, 0xfe, 0, 1, 2)];

test("every source names whose data it is, and is in the order of its name", () => {
  expect(MARKETS.map(({ id }) => id)).toEqual(Object.keys(CASES));
  for (const { attribution } of MARKETS) expect(attribution).not.toBe("");
});
