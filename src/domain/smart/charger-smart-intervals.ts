/** Chooses the quarter hours of a cycle in which a charger charges (rule S2.5). */

import { MINUTE_MS } from "../duration.ts";
import { PriceCurve, type PricedSpan } from "../market/price-curve.ts";
import type { Money } from "../money.ts";

const QUARTER_MS = 15 * MINUTE_MS;

/** An interval in which the charger charges, wall-clock ms. */
export interface ChargeSpan {
  readonly fromMs: number;
  readonly toMs: number;
}

interface Slot extends ChargeSpan {
  /** Currency units per kWh; `null` if not known. */
  readonly price: Money | null;
}

/** A charging time to distribute over a cycle. */
export interface IntervalsRequest {
  /** Earliest start of charging, wall-clock ms. */
  readonly fromMs: number;
  /** End of the cycle, wall-clock ms. */
  readonly toMs: number;
  /** Charging time, ms. */
  readonly durationMs: number;
  readonly prices: readonly PricedSpan[];
}

/**
 * Returns the cheapest quarter hours that add up to the duration; of equal prices the earlier ones. Adjacent quarter hours
 * are joined. Those without a price are used last, the latest first: their prices may still be published, and otherwise
 * the vehicle is charged at the end of the cycle.
 */
export function cheapestIntervals(request: IntervalsRequest): readonly ChargeSpan[] {
  const slots = slotsOf(request);
  const ranked = slots.toSorted(cheaperFirst);
  const taken: Slot[] = [];
  let missingMs = request.durationMs;
  for (const slot of ranked) {
    if (missingMs <= 0) break;
    taken.push(part(slot, missingMs, taken));
    missingMs -= slot.toMs - slot.fromMs;
  }
  return joined(taken);
}

/** Splits the cycle into quarter hours of the clock; the first and the last may be shorter. */
function slotsOf({ fromMs, toMs, prices }: IntervalsRequest): readonly Slot[] {
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

/** Returns the part of a slot that is still needed: next to a chosen one if possible, to switch less; else its beginning. */
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
