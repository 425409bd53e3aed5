/** Plans the cheapest charge of a vehicle: one pause, then one uninterrupted charge (rule S2.4). */

import { MINUTE_MS } from "../duration.ts";
import type { PriceCurve } from "../market/price-curve.ts";
import type { Money } from "../money.ts";

/** Charging often takes longer than expected, so 11/10 of the time have to fit before the deadline. */
const MARGIN_TENTHS = 11;

/** What a plan is made from. */
export interface ChargeNeed {
  readonly nowMs: number;
  readonly deadlineMs: number;
  /** Charging time at the expected power, ms. */
  readonly neededMs: number;
  /** A pause shorter than this is not worth switching, ms. */
  readonly leastPauseMs: number;
  readonly prices: PriceCurve;
}

/** The result of planning. Costs are for 1 kW: multiplied by the power, kW, they are in currency units. */
export type ChargePlanning =
  /** Charge at once: there is no time for a pause, or no pause saves anything. */
  | { readonly kind: "now"; readonly why: "no-time" | "no-savings" }
  /** No price before the deadline is known. */
  | { readonly kind: "no-prices" }
  /** Too few prices are known; plan again when more are, and start at `latestStartMs` at the latest. */
  | { readonly kind: "await"; readonly latestStartMs: number; readonly nonSmartCost: Money }
  /** Pause until `startAtMs`. */
  | {
      readonly kind: "pause";
      readonly startAtMs: number;
      readonly latestStartMs: number;
      readonly smartCost: Money;
      readonly nonSmartCost: Money;
    };

/** Returns the last start with which charging ends by the deadline including the margin, ms. */
export function latestStartMs({ deadlineMs, neededMs }: Pick<ChargeNeed, "deadlineMs" | "neededMs">): number {
  return deadlineMs - Math.ceil((neededMs * MARGIN_TENTHS) / 10);
}

/**
 * Chooses the cheapest start for which all prices are known, the earliest of equal ones. It waits for unknown prices only
 * if no start can be chosen without them.
 */
export function planCharge(need: ChargeNeed): ChargePlanning {
  const { nowMs, deadlineMs, neededMs, leastPauseMs, prices } = need;
  const latestMs = latestStartMs(need);
  const earliestMs = nowMs + leastPauseMs;
  if (latestMs < earliestMs || neededMs <= 0) return { kind: "now", why: "no-time" };
  const nonSmartCost = prices.estimate(nowMs, nowMs + neededMs, deadlineMs);
  if (nonSmartCost === null) return { kind: "no-prices" };
  const best = cheapestStart(need, earliestMs, latestMs);
  if (best === null) return { kind: "await", latestStartMs: latestMs, nonSmartCost };
  if (best.cost.gte(nonSmartCost)) return { kind: "now", why: "no-savings" };
  return { kind: "pause", startAtMs: best.startMs, latestStartMs: latestMs, smartCost: best.cost, nonSmartCost };
}

/**
 * The cost is linear between the starts at which the beginning or the end of charging meets a change of the price, so the
 * cheapest start is one of these or an end of the range.
 */
function cheapestStart(
  { neededMs, prices }: ChargeNeed,
  earliestMs: number,
  latestMs: number,
): { readonly startMs: number; readonly cost: Money } | null {
  const starts = new Set([earliestMs, latestMs, ...prices.edges.flatMap((edge) => [edge, edge - neededMs])]);
  let best: { startMs: number; cost: Money } | null = null;
  for (const startMs of [...starts].sort((a, b) => a - b)) {
    if (startMs < earliestMs || startMs > latestMs) continue;
    const cost = prices.cost(startMs, startMs + neededMs);
    if (cost !== null && (best === null || cost.lt(best.cost))) best = { startMs, cost };
  }
  return best;
}

/** Returns the charging time to the vehicle's limit at a power, in whole minutes, ms; `null` if not known. */
export function neededChargeMs(
  chargeState: {
    readonly batteryLevel: number | null;
    readonly batteryCapacity: number | null;
    readonly chargeLimit: number | null;
    readonly chargeTimeRemaining: number | null;
  },
  expectedKw: number,
): number | null {
  const { batteryLevel, batteryCapacity, chargeLimit, chargeTimeRemaining } = chargeState;
  if (batteryLevel === null) return null;
  const missing = Math.max(0, (chargeLimit ?? 100) - batteryLevel);
  // A vehicle that does not report its capacity may still report the remaining time.
  if (batteryCapacity === null) return chargeTimeRemaining === null ? null : minutes(chargeTimeRemaining);
  return minutes(((missing / 100) * batteryCapacity * 60) / expectedKw);
}

function minutes(count: number): number {
  // A rounding error must not add a minute.
  return Math.max(0, Math.ceil(count - 1e-9)) * MINUTE_MS;
}
