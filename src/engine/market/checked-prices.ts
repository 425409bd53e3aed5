import { MINUTE_MS } from "../../domain/duration.ts";
import { money, moneyText } from "../../domain/money.ts";
import { type Market, type MarketDay, MarketError, type MarketPrice } from "../../sdk/market-source.ts";
import type { PriceSlot } from "../contracts/places.ts";

const MAX_PRICES = 5_000;
/** Currency units per kWh; several hundred times the price limit of any exchange, in any currency. */
const MAX_PER_KWH = money("10000");
const DECIMAL = /^[+-]?\d{1,12}(?:\.\d{1,15})?(?:[eE][+-]?\d{1,2})?$/;

/**
 * Returns the prices of one day per kWh, ascending and cut to the day. Throws a `MarketError("malformed")` for prices that
 * no market has, such as two for one instant or one that does not begin at a minute.
 */
export function checkedPrices(
  prices: readonly MarketPrice[],
  { divisor }: Pick<Market, "divisor">,
  day: MarketDay,
): readonly PriceSlot[] {
  if (prices.length > MAX_PRICES) throw new MarketError("malformed", `answered ${prices.length} prices at once`);
  const slots = prices
    .filter(({ fromMs, toMs }) => toMs > day.fromMs && fromMs < day.toMs)
    .map(({ fromMs, toMs, price }) => {
      if (!isMinute(fromMs) || !isMinute(toMs) || fromMs >= toMs) {
        throw new MarketError("malformed", "answered a price with an invalid time span");
      }
      const span = { fromMs: Math.max(fromMs, day.fromMs), toMs: Math.min(toMs, day.toMs) };
      return { ...span, cost: perKwh(price, divisor) };
    })
    .sort((a, b) => a.fromMs - b.fromMs);
  if (slots.some(({ fromMs }, index) => fromMs < (slots[index - 1]?.toMs ?? fromMs))) {
    throw new MarketError("malformed", "answered two prices for the same time");
  }
  return slots;
}

function perKwh(price: string, divisor: number): string {
  if (!DECIMAL.test(price)) throw new MarketError("malformed", "answered a price that is not a decimal number");
  const amount = money(price).dividedBy(divisor);
  if (amount.abs().greaterThan(MAX_PER_KWH)) throw new MarketError("malformed", "answered an implausible price");
  return moneyText(amount);
}

function isMinute(ms: number): boolean {
  return Number.isSafeInteger(ms) && ms % MINUTE_MS === 0;
}

/** True if the slots cover the whole day without a gap. */
export function isComplete(slots: readonly PriceSlot[], day: MarketDay): boolean {
  let atMs = day.fromMs;
  for (const { fromMs, toMs } of slots) {
    if (fromMs !== atMs) return false;
    atMs = toMs;
  }
  return atMs === day.toMs;
}

/** Returns for how long prices are known, ms. */
export function knownMs(slots: readonly PriceSlot[]): number {
  return slots.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}
