/** Answers with values lost, replaced and cut off: what is read of them stands in them, or they are refused. */
import { describe, expect, test } from "vitest";
import { MARKETS } from "../../../adapters/prices/markets.ts";
import { checkedPrices } from "../../../src/engine/market/checked-prices.ts";
import { type Market, type MarketDay, MarketError } from "../../../src/sdk/market-source.ts";
import { SeededRandom } from "../../../src/testing/seeded-random.ts";
import { countedExpect } from "../../counted-expect.ts";
import { spoiledJson, spoiledText } from "../../fuzz/mutate.ts";
import { caseOf, houseOf } from "./source-cases.ts";

const ROUNDS = 400;
const DAY: MarketDay = {
  date: "2026-11-20",
  fromMs: Date.parse("2026-11-19T23:00Z"),
  toMs: Date.parse("2026-11-20T23:00Z"),
};

/** ENTSO-E's second auction: a document that has lost which one it is about tells its price. */
const OTHER_AUCTION = 0.00123;

/** None when it is refused; any other error than a refusal is a mistake. */
function readOf(market: Market, text: string) {
  try {
    const answer = { status: 200, body: new TextEncoder().encode(text) };
    return checkedPrices(market.read(answer, DAY), market, DAY);
  } catch (error) {
    if (error instanceof MarketError) return [];
    throw error;
  }
}

function spoiledDocument(text: string, random: SeededRandom, share: number): string {
  if (text.startsWith("{")) return JSON.stringify(spoiledJson(JSON.parse(text), random, share));
  const lost = text.replaceAll(/<Point>.*?<\/Point>/g, (point) => (random.isChance(share) ? "" : point));
  return lost.replaceAll(/>[^<]+</g, (told) => (random.isChance(share) ? `>${random.pick(NONSENSE)}<` : told));
}

const NONSENSE = ["", "nan", "1e999", "0x10", "&amp;", "P1D"] as const;

describe.each(MARKETS.map((source) => [source.id, source] as const))("%s", (id, source) => {
  test(`${ROUNDS} spoiled answers`, () => {
    const { market: options, currency, divisor } = caseOf(source);
    const opened = source.open({ token: null, ...options, currency });
    if ("problem" in opened) throw new Error(opened.problem);
    const { twin, book } = houseOf(source, "2026-11-20T07:00Z");
    const { method, url, headers, body } = opened.request(DAY);
    const asked = { method, host: url.host, path: `${url.pathname}${url.search}`, headers, body: body ?? "", atMs: 0 };
    const right = twin.serve(asked).body ?? "";
    const truth = new Set<number>([OTHER_AUCTION]);
    for (const { price } of book.day(DAY.date)) truth.add(Number((Number(price) / divisor).toFixed(5)));
    const random = new SeededRandom(`spoil ${id}`);
    const expectPrices = countedExpect();
    let read = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const share = random.pick([0.0005, 0.005, 0.05]);
      const isWellFormed = random.isChance(0.7);
      const text = isWellFormed ? spoiledDocument(right, random, share) : spoiledText(right, random);
      const slots = readOf(opened, text);
      if (slots.length > 0) read += 1;
      if (isWellFormed) expectPrices(slots.filter(({ cost }) => !truth.has(Number(cost)))).toEqual([]);
      expect(slots.filter(({ fromMs, toMs }) => !(fromMs >= DAY.fromMs && toMs <= DAY.toMs))).toEqual([]);
      expect(slots.filter(({ fromMs }, at) => fromMs < (slots[at - 1]?.toMs ?? fromMs))).toEqual([]);
    }
    expectPrices.wasCalled();
    // Some are hardly spoiled, so that reading them is tried at all.
    expect(read).toBeGreaterThan(ROUNDS / 20);
  });
});
