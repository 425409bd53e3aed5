/** Chooses when an HVAC unit heats more and when less, by the prices of a day (rule S2.6). */

import { MINUTE_MS } from "../duration.ts";
import { PriceCurve, type PricedSpan } from "../market/price-curve.ts";
import type { Money } from "../money.ts";
import type { HvacSmartSpan } from "./hvac-smart-policy.ts";

const SLOT_MS = 15 * MINUTE_MS;
/** The setpoint is shifted by this, °C. */
const SHIFT_C = 1;
/** The fraction of the known hours that counts as cheap, and as expensive. */
const SHARE = 0.25;

interface Slot {
  readonly fromMs: number;
  readonly toMs: number;
  readonly price: Money | null;
}

/**
 * Returns the shifts of a whole day: warmer in the cheapest quarter of the hours with a price, cooler in the most expensive
 * quarter. Hours at the day's mean price or without a price are not shifted; of equal prices the earlier hours are chosen.
 */
export function heatingSpans(
  day: { readonly fromMs: number; readonly toMs: number },
  prices: readonly PricedSpan[],
): readonly HvacSmartSpan[] {
  const slots = slotsOf(day, new PriceCurve(prices));
  const known = slots.filter((slot): slot is Slot & { price: Money } => slot.price !== null);
  const [first, ...others] = known;
  if (first === undefined) return [];
  const mean = others.reduce((sum, { price }) => sum.plus(price), first.price).div(known.length);
  const ranked = known.toSorted((a, b) => a.price.comparedTo(b.price) || a.fromMs - b.fromMs);
  const count = Math.floor(known.length * SHARE);
  const cheap = new Set<Slot>(ranked.slice(0, count).filter(({ price }) => price.lt(mean)));
  const expensiveFirst = ranked.toSorted((a, b) => b.price.comparedTo(a.price) || a.fromMs - b.fromMs);
  const expensive = new Set<Slot>(expensiveFirst.slice(0, count).filter(({ price }) => price.gt(mean)));
  return joined(
    slots.map((slot) => ({ fromMs: slot.fromMs, toMs: slot.toMs, shift: shiftOf(slot, cheap, expensive) })),
  );
}

function shiftOf(slot: Slot, cheap: ReadonlySet<Slot>, expensive: ReadonlySet<Slot>): number {
  if (cheap.has(slot)) return SHIFT_C;
  return expensive.has(slot) ? -SHIFT_C : 0;
}

function slotsOf({ fromMs, toMs }: { fromMs: number; toMs: number }, curve: PriceCurve): readonly Slot[] {
  const slots: Slot[] = [];
  for (let at = fromMs; at < toMs; at += SLOT_MS) {
    const end = Math.min(toMs, at + SLOT_MS);
    slots.push({ fromMs: at, toMs: end, price: curve.mean(at, end) });
  }
  return slots;
}

function joined(spans: readonly HvacSmartSpan[]): readonly HvacSmartSpan[] {
  const whole: HvacSmartSpan[] = [];
  for (const span of spans) {
    const last = whole.at(-1);
    if (last?.shift === span.shift) whole[whole.length - 1] = { ...last, toMs: span.toMs };
    else whole.push(span);
  }
  return whole;
}
