import { MINUTE_MS } from "../../domain/duration.ts";
import { money, moneyText } from "../../domain/money.ts";
import { type Market, type MarketDay, MarketError, type MarketPrice } from "../../sdk/market-source.ts";
import type { PriceSlot } from "../contracts/places.ts";

const MAX_PRICES = 5_000;
/** Currency units per kWh; several hundred times what any exchange lets a kWh cost, in any currency. */
const MAX_PER_KWH = money("10000");
const DECIMAL = /^[+-]?\d{1,12}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?$/;

/**
 * The prices of one day per kWh, ascending, cut to the day, from what a source told. Throws a
 * `MarketError("malformed")` for what no market says: two prices for one instant, times that are no minutes.
 */
export function soundPrices(
  told: readonly MarketPrice[],
  { divisor }: Pick<Market, "divisor">,
  day: MarketDay,
): readonly PriceSlot[] {
  if (told.length > MAX_PRICES) throw new MarketError("malformed", `told ${told.length} prices at once`);
  const slots = told
    .filter(({ fromMs, toMs }) => toMs > day.fromMs && fromMs < day.toMs)
    .map(({ fromMs, toMs, price }) => {
      if (!isMinute(fromMs) || !isMinute(toMs) || fromMs >= toMs) {
        throw new MarketError("malformed", "told a price for no span of time");
      }
      const span = { fromMs: Math.max(fromMs, day.fromMs), toMs: Math.min(toMs, day.toMs) };
      return { ...span, cost: perKwh(price, divisor) };
    })
    .sort((a, b) => a.fromMs - b.fromMs);
  if (slots.some(({ fromMs }, index) => fromMs < (slots[index - 1]?.toMs ?? fromMs))) {
    throw new MarketError("malformed", "told two prices for the same time");
  }
  return slots;
}

function perKwh(price: string, divisor: number): string {
  if (!DECIMAL.test(price)) throw new MarketError("malformed", "told a price that is no decimal number");
  const amount = money(price).dividedBy(divisor);
  if (amount.abs().greaterThan(MAX_PER_KWH)) throw new MarketError("malformed", "told a price that nobody can mean");
  return moneyText(amount);
}

function isMinute(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms % MINUTE_MS === 0;
}

/** True when the slots leave nothing of the day open. */
export function isWhole(slots: readonly PriceSlot[], day: MarketDay): boolean {
  let atMs = day.fromMs;
  for (const { fromMs, toMs } of slots) {
    if (fromMs !== atMs) return false;
    atMs = toMs;
  }
  return atMs === day.toMs;
}

/** Time whose price is known, ms. */
export function knownMs(slots: readonly PriceSlot[]): number {
  return slots.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}
