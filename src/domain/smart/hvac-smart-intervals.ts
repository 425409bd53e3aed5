/** When a unit heats more and when less, by the prices of a day (rule S2.6). Pure. */

import { PriceCurve, type PricedSpan } from "../market/price-curve.ts";
import type { Money } from "../money.ts";
import type { HvacSmartSpan } from "./hvac-smart-policy.ts";

const SLOT_MS = 15 * 60_000;
/** The setpoint moves by this much, °C. */
const SHIFT_C = 1;
/** The share of the known hours that counts as cheapest, and as dearest. */
const SHARE = 0.25;

interface Slot {
  readonly fromMs: number;
  readonly toMs: number;
  readonly price: Money | null;
}

/**
 * The whole day: the cheapest quarter of its known hours warmer, the dearest quarter cooler. Hours that cost as much as
 * the day on average, or have no price, stay as they are; among equal ones the earlier counts first.
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
  const dearFirst = ranked.toSorted((a, b) => b.price.comparedTo(a.price) || a.fromMs - b.fromMs);
  const dear = new Set<Slot>(dearFirst.slice(0, count).filter(({ price }) => price.gt(mean)));
  return joined(slots.map((slot) => ({ fromMs: slot.fromMs, toMs: slot.toMs, shift: shiftOf(slot, cheap, dear) })));
}

function shiftOf(slot: Slot, cheap: ReadonlySet<Slot>, dear: ReadonlySet<Slot>): number {
  if (cheap.has(slot)) return SHIFT_C;
  return dear.has(slot) ? -SHIFT_C : 0;
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
