/** Which quarter hours of a cycle a charger charges in (rule S2.5). Pure. */

import { PriceCurve, type PricedSpan } from "../market/price-curve.ts";
import type { Money } from "../money.ts";

const QUARTER_MS = 15 * 60_000;

/** An interval in which the charger charges, ms. */
export interface ChargeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Slot extends ChargeSpan {
  /** Currency units per kWh; null when unknown. */
  readonly price: Money | null;
}

export interface IntervalsWanted {
  /** From when on it can be charged. */
  readonly fromMs: number;
  /** The end of the cycle. */
  readonly toMs: number;
  readonly durationMs: number;
  readonly prices: readonly PricedSpan[];
}

/**
 * The cheapest quarter hours that add up to the duration, earlier ones first where prices are equal, joined where they
 * touch. Unknown hours are taken last, and of them the latest first: prices may still come for them, and if none come
 * the vehicle is charged at the end of the cycle all the same.
 */
export function cheapestIntervals(wanted: IntervalsWanted): readonly ChargeSpan[] {
  const slots = slotsOf(wanted);
  const ranked = slots.toSorted(cheaperFirst);
  const taken: Slot[] = [];
  let missingMs = wanted.durationMs;
  for (const slot of ranked) {
    if (missingMs <= 0) break;
    taken.push(part(slot, missingMs, taken));
    missingMs -= slot.toMs - slot.fromMs;
  }
  return joined(taken);
}

/** Quarters of the clock; the first and the last may be shorter. */
function slotsOf({ fromMs, toMs, prices }: IntervalsWanted): readonly Slot[] {
  const curve = new PriceCurve(prices);
  const slots: Slot[] = [];
  for (let at = fromMs; at < toMs; ) {
    const end = Math.min(toMs, Math.floor(at / QUARTER_MS) * QUARTER_MS + QUARTER_MS);
    slots.push({ fromMs: at, toMs: end, price: curve.mean(at, end) });
    at = end;
  }
  return slots;
}

function cheaperFirst(a: Slot, b: Slot): number {
  if (a.price !== null && b.price !== null) return a.price.comparedTo(b.price) || a.fromMs - b.fromMs;
  if (a.price === null && b.price === null) return b.fromMs - a.fromMs;
  return a.price === null ? 1 : -1;
}

/** As much of a slot as is missing: next to what is taken already, to switch less; else its beginning. */
function part(slot: Slot, missingMs: number, taken: readonly Slot[]): Slot {
  if (missingMs >= slot.toMs - slot.fromMs) return slot;
  const follows = taken.some(({ toMs }) => toMs === slot.fromMs);
  const precedes = taken.some(({ fromMs }) => fromMs === slot.toMs);
  const isLate = !follows && (precedes || slot.price === null);
  return isLate ? { ...slot, fromMs: slot.toMs - missingMs } : { ...slot, toMs: slot.fromMs + missingMs };
}

function joined(slots: readonly ChargeSpan[]): readonly ChargeSpan[] {
  const spans: ChargeSpan[] = [];
  for (const { fromMs, toMs } of slots.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = spans.at(-1);
    if (last?.toMs === fromMs) spans[spans.length - 1] = { fromMs: last.fromMs, toMs };
    else spans.push({ fromMs, toMs });
  }
  return spans;
}
