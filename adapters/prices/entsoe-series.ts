/** The time series of ENTSO-E's price documents as prices. */
import { type MarketDay, MarketError, type MarketPrice, MINUTE_MS } from "hemgate/sdk";
import { elementsAt, textAt, type XmlElement } from "./xml-tree.ts";

const SLOT_MS: Readonly<Record<string, number>> = {
  PT15M: 15 * MINUTE_MS,
  PT30M: 30 * MINUTE_MS,
  PT60M: 60 * MINUTE_MS,
  PT1H: 60 * MINUTE_MS,
};
/** Points that repeat the one before are left out (IEC 62325-451-3, curve of variable blocks). */
const VARIABLE_BLOCKS = "A03";
/** More than a week of quarters. */
const MAX_SLOTS = 1_000;
/** A day has one or two, and a few more where it is published in pieces. */
const MAX_PERIODS = 50;

/** Of periods that overlap, the finer one counts: a zone that changed to quarters published both for a time. */
export function seriesPrices(series: readonly XmlElement[], day: MarketDay): readonly MarketPrice[] {
  const periods = series.flatMap((each) => {
    const isFilled = (textAt(each, "curveType") ?? VARIABLE_BLOCKS) === VARIABLE_BLOCKS;
    return elementsAt(each, "Period").map((period) => ({ period, isFilled }));
  });
  if (periods.length > MAX_PERIODS) throw new MarketError("malformed", `answered ${periods.length} periods`);
  const published = periods
    .flatMap(({ period, isFilled }) => periodPrices(period, isFilled))
    .filter(({ fromMs, toMs }) => toMs > day.fromMs && fromMs < day.toMs)
    .sort((a, b) => a.toMs - a.fromMs - (b.toMs - b.fromMs));
  const taken: MarketPrice[] = [];
  for (const price of published) {
    if (!taken.some(({ fromMs, toMs }) => fromMs < price.toMs && toMs > price.fromMs)) taken.push(price);
  }
  return taken;
}

function periodPrices(period: XmlElement, isFilled: boolean): readonly MarketPrice[] {
  const [startMs, endMs] = ["start", "end"].map((end) => instantOf(textAt(period, "timeInterval", end)));
  const slotMs = SLOT_MS[textAt(period, "resolution") ?? ""];
  if (startMs === undefined || endMs === undefined || slotMs === undefined) {
    throw new MarketError("malformed", "answered a period without its length");
  }
  const count = (endMs - startMs) / slotMs;
  if (!Number.isInteger(count) || count < 1 || count > MAX_SLOTS) {
    throw new MarketError("malformed", "answered a period of no whole slots");
  }
  const byPosition = new Map(elementsAt(period, "Point").map((point) => pointOf(point)));
  const prices: MarketPrice[] = [];
  let price: string | null = null;
  for (let position = 1; position <= count; position += 1) {
    price = byPosition.get(position) ?? (isFilled ? price : null);
    const fromMs = startMs + (position - 1) * slotMs;
    if (price !== null) prices.push({ fromMs, toMs: fromMs + slotMs, price });
  }
  return prices;
}

/** One that lies outside of its period is never asked for. */
function pointOf(point: XmlElement): readonly [number, string] {
  const position = Number(textAt(point, "position") ?? Number.NaN);
  const price = textAt(point, "price.amount");
  if (!Number.isInteger(position) || price === null) {
    throw new MarketError("malformed", "answered a point without its place or price");
  }
  return [position, price];
}

/** `2026-03-28T23:00Z`: minutes, in UTC. */
function instantOf(text: string | null): number | undefined {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/.test(text ?? "") ? Date.parse(text ?? "") : undefined;
}
