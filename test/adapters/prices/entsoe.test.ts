import { describe, expect, test } from "vitest";
import { entsoe } from "../../../adapters/prices/entsoe.ts";
import { BIDDING_ZONES } from "../../../adapters/prices/entsoe-zones.ts";
import type { Market } from "../../../src/sdk/market-source.ts";

const HOUR = 3_600_000;
const FROM = Date.parse("2026-11-19T23:00Z");
const DAY = { date: "2026-11-20", fromMs: FROM, toMs: FROM + 24 * HOUR };

function market(): Market {
  const opened = entsoe.open({ zone: "DE-LU", token: "t", currency: "EUR" });
  if ("problem" in opened) throw new Error(opened.problem);
  return opened;
}

function series(
  periods: string,
  { currency = "EUR", sequence = "", curve = "A03" }: { currency?: string; sequence?: string; curve?: string } = {},
): string {
  const place = "classificationSequence_AttributeInstanceComponent.position";
  return `<TimeSeries><currency_Unit.name>${currency}</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name>
    ${sequence === "" ? "" : `<${place}>${sequence}</${place}>`}<curveType>${curve}</curveType>${periods}</TimeSeries>`;
}

function period(
  start: string,
  end: string,
  resolution: string,
  points: readonly (readonly [number, string])[],
): string {
  const told = points.map(
    ([at, price]) => `<Point><position>${at}</position><price.amount>${price}</price.amount></Point>`,
  );
  return `<Period><timeInterval><start>${start}</start><end>${end}</end></timeInterval>
    <resolution>${resolution}</resolution>${told.join("")}</Period>`;
}

function read(body: string) {
  const prices = market().read({ status: 200, body: new TextEncoder().encode(body) }, DAY);
  return prices
    .map(({ fromMs, toMs, price }) => [(fromMs - FROM) / HOUR, (toMs - fromMs) / HOUR, price])
    .sort((a, b) => Number(a[0]) - Number(b[0]));
}

const document = (...all: string[]) => `<Publication_MarketDocument>${all.join("")}</Publication_MarketDocument>`;
const [START, NOON] = ["2026-11-19T23:00Z", "2026-11-20T02:00Z"];

describe("a document", () => {
  test("leaves out points that repeat the one before, in any order, and none before the first", () => {
    const points = [
      [4, "-5"],
      [2, "10.50"],
    ] as const;
    expect(read(document(series(period(START, "2026-11-20T00:15Z", "PT15M", points))))).toEqual([
      [0.25, 0.25, "10.50"],
      [0.5, 0.25, "10.50"],
      [0.75, 0.25, "-5"],
      [1, 0.25, "-5"],
    ]);
  });

  test("whose curve has every point has gaps where one is missing", () => {
    const points = [
      [1, "1"],
      [3, "3"],
    ] as const;
    const fixed = series(period(START, NOON, "PT60M", points), { curve: "A01" });
    expect(read(document(fixed))).toEqual([
      [0, 1, "1"],
      [2, 1, "3"],
    ]);
  });

  test("with two auctions tells the coupled one, and with the local one alone nothing", () => {
    const local = series(period(START, NOON, "PT15M", [[1, "99"]]), { sequence: "2" });
    const coupled = series(period(START, NOON, "PT60M", [[1, "7"]]), { sequence: "1" });
    expect(read(document(local, coupled)).map(([, , price]) => price)).toEqual(["7", "7", "7"]);
    expect(read(document(local))).toEqual([]);
  });

  test("with hours and quarters for the same time tells the quarters", () => {
    const hours = series(period(START, NOON, "PT60M", [[1, "7"]]));
    const quarters = series(period(START, "2026-11-20T00:00Z", "PT15M", [[1, "1"]]));
    expect(read(document(hours, quarters))).toEqual([
      [0, 0.25, "1"],
      [0.25, 0.25, "1"],
      [0.5, 0.25, "1"],
      [0.75, 0.25, "1"],
      [1, 1, "7"],
      [2, 1, "7"],
    ]);
  });

  test.each([
    [series(period(START, NOON, "PT15M", [[1, "7"]]), { currency: "PLN" }), "has prices in PLN"],
    [series(period(START, NOON, "P1D", [[1, "7"]])), "a period without its length"],
    [series(period(START, "2026-11-20T02:10Z", "PT60M", [[1, "7"]])), "a period of no whole slots"],
    [series(period(START, "2036-11-20T02:00Z", "PT15M", [[1, "7"]])), "a period of no whole slots"],
    [series(period(START, NOON, "PT60M", [[0.5, "7"]])), "a point without its place"],
    [series(period(START, NOON, "PT60M", [[1, "7"]]).repeat(51)), "51 periods"],
  ])("is refused: %#", (body, problem) => {
    expect(() => read(document(body))).toThrow(problem);
  });
});

describe("no data", () => {
  const acknowledged = (code: string) =>
    new TextEncoder().encode(
      `<Acknowledgement_MarketDocument xmlns="urn:a"><Reason><code>${code}</code></Reason></Acknowledgement_MarketDocument>`,
    );

  test("is reason 999, in a 200 or a 400", () => {
    expect(market().read({ status: 200, body: acknowledged("999") }, DAY)).toEqual([]);
    expect(market().isUnpublished?.({ status: 400, body: acknowledged("999") })).toBe(true);
  });

  test("is nothing else", () => {
    expect(() => market().read({ status: 200, body: acknowledged("A01") }, DAY)).toThrow("acknowledged without prices");
    expect(market().isUnpublished?.({ status: 400, body: acknowledged("A01") })).toBe(false);
    expect(market().isUnpublished?.({ status: 400, body: new TextEncoder().encode("<html>") })).toBe(false);
    expect(market().isUnpublished?.({ status: 401, body: acknowledged("999") })).toBe(false);
  });
});

test("a day is asked for in UTC", () => {
  expect(Object.fromEntries(market().request(DAY).url.searchParams)).toMatchObject({
    periodStart: "202611192300",
    periodEnd: "202611202300",
    in_Domain: "10Y1001A1001A82H",
  });
});

/** The last character of an EIC says whether the others are right (EIC reference manual, annex). */
function checkCharacter(code: string): string {
  const characters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-";
  const sum = [...code.slice(0, 15)].reduce((total, each, at) => total + characters.indexOf(each) * (16 - at), 0);
  return characters[36 - ((sum - 1) % 37)] ?? "";
}

test.each(Object.entries(BIDDING_ZONES))("the code of %s is one: %s", (_zone, code) => {
  expect(code).toMatch(/^\d\d[YZ][A-Z0-9-]{12}[A-Z0-9]$/);
  expect(code.at(-1)).toBe(checkCharacter(code));
});
