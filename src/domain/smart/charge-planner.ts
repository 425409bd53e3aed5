/** When a vehicle charges cheapest: one pause, then one uninterrupted charge (rule S2.4). Pure. */

import type { PriceCurve } from "../market/price-curve.ts";
import type { Money } from "../money.ts";

/** Charging takes longer than expected as often as not: a tenth more must fit before the deadline. */
const MARGIN_TENTHS = 11;

export interface ChargeNeed {
  readonly nowMs: number;
  readonly deadlineMs: number;
  /** Charging time at the expected power, ms. */
  readonly neededMs: number;
  /** A pause shorter than this is not worth switching, ms. */
  readonly leastPauseMs: number;
  readonly prices: PriceCurve;
}

/** Costs are of drawing 1 kW; times the power they are currency units. */
export type ChargePlanning =
  /** Charge at once: there is no time for a pause, or none that saves anything. */
  | { readonly kind: "now"; readonly why: "no-time" | "no-savings" }
  /** Nothing is known of any price before the deadline. */
  | { readonly kind: "no-prices" }
  /** Too little is known to choose; charge when prices come, at the latest at `latestStartMs`. */
  | { readonly kind: "await"; readonly latestStartMs: number; readonly nonSmartCost: Money }
  /** Pause until `startAtMs`. */
  | {
      readonly kind: "pause";
      readonly startAtMs: number;
      readonly latestStartMs: number;
      readonly smartCost: Money;
      readonly nonSmartCost: Money;
    };

/** The last instant to start so that charging ends by the deadline with its margin, ms. */
export function latestStartMs({ deadlineMs, neededMs }: Pick<ChargeNeed, "deadlineMs" | "neededMs">): number {
  return deadlineMs - Math.ceil((neededMs * MARGIN_TENTHS) / 10);
}

/**
 * The cheapest start of which all prices are known; of equal ones the earliest. Hours without a price are neither
 * hoped for nor feared: they are waited for only where nothing can be chosen without them.
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
 * The cost of a start is linear between the starts at which one of its ends meets an edge of the prices, so the cheapest
 * is one of those, or an end of the range.
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

/** Charging time to a vehicle's limit at a power, rounded up to minutes, ms. Null when something of it is unknown. */
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
  // A vehicle that hides its capacity may still say how long it takes.
  if (batteryCapacity === null) return chargeTimeRemaining === null ? null : minutes(chargeTimeRemaining);
  return minutes(((missing / 100) * batteryCapacity * 60) / expectedKw);
}

function minutes(count: number): number {
  // Float dust is no minute.
  return Math.max(0, Math.ceil(count - 1e-9)) * 60_000;
}
