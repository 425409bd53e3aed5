/** Every price source against its twin, through the price service. */
import { describe, expect, test } from "vitest";
import { MARKETS } from "../../../adapters/prices/markets.ts";
import { DAY, HOUR, shown, truth } from "../../engine/market/market-home.ts";
import type { MarketBook } from "../../twins/markets/market-book.ts";
import { CASES, caseOf, houseOf, TOKEN } from "./source-cases.ts";

describe.each(MARKETS.map((source) => [source.id, source] as const))("%s", (_id, source) => {
  const { divisor, slotMinutes } = caseOf(source);
  const told = (book: MarketBook, ...dates: string[]) =>
    truth(book, ...dates).map((slot) => ({ ...slot, perKwh: Number(((slot.perKwh * 1_000) / divisor).toFixed(5)) }));

  test("tells today and, once it is published, tomorrow; negative prices and gaps as they are", async () => {
    const { world, book, start } = houseOf(source, "2026-11-20T07:00Z");
    const midnight = Date.parse("2026-11-19T23:00Z");
    book.gaps.add(midnight + 5 * HOUR);
    const { service } = await start();
    await world.clock.advance(HOUR);
    expect(shown(service, midnight, midnight + 3 * DAY)).toEqual(told(book, "2026-11-20"));
    await world.clock.advance(9 * HOUR);
    const known = shown(service, midnight, midnight + 3 * DAY);
    expect(known).toEqual(told(book, "2026-11-20", "2026-11-21"));
    expect(known.some(({ perKwh }) => perKwh < 0)).toBe(true);
  });

  test.each([
    ["2026-10-25", "2026-10-24T22:00Z", 25],
    ["2027-03-28", "2027-03-27T23:00Z", 23],
  ])("tells the day of the clocks, %s", async (date, midnight, hours) => {
    const { world, book, start } = houseOf(source, midnight);
    const { service } = await start();
    await world.clock.advance(HOUR);
    const known = shown(service, Date.parse(midnight), Date.parse(midnight) + 2 * DAY);
    expect(known).toHaveLength((hours * 60) / slotMinutes);
    expect(known).toEqual(told(book, date));
  });

  test("says nothing of keys, whatever goes wrong", async () => {
    const said: string[] = [];
    for (const token of [TOKEN, `${TOKEN}-of-another`]) {
      const { world, twin, start } = houseOf(source, "2026-11-20T13:30Z");
      twin.trouble = "down";
      const { service, process } = await start({ token });
      for (const trouble of ["down", "hang", "break", "portal", "cut", "limited", null] as const) {
        twin.trouble = trouble;
        await world.clock.advance(HOUR);
        said.push(JSON.stringify(service.status()));
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
