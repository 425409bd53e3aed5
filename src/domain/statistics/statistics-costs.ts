/** The price of an asset's energy at each instant, with and without the shift by smart charging. */
import type { PricedSpan } from "../market/price-curve.ts";
import { clip, type Span } from "./statistics-reading.ts";

/** A charge that smart charging moved: without it, charging from `resumedAtMs` on would have begun at `pausedAtMs`. */
export interface ChargeMove {
  readonly pausedAtMs: number;
  readonly resumedAtMs: number;
  /** `null` while the charge goes on. */
  readonly endedAtMs: number | null;
}

/** The prices of an asset's energy over time, wall-clock ms. */
export interface Costs {
  /** The instants at which one of the two prices changes, ascending. */
  readonly edges: readonly number[];
  /** Returns the price, currency units per kWh as a decimal number; `null` if not known. */
  costAt(atMs: number): string | null;
  /** Returns the price without smart charging; `null` if it moved nothing at this time, or if the price is not known. */
  nonSmartCostAt(atMs: number): string | null;
}

/** Returns the prices. `prices` have to be ascending without overlaps; of overlapping moves the last resumed one counts. */
export function costsOf(prices: readonly PricedSpan[], moves: readonly ChargeMove[], within: Span): Costs {
  const merged = mergeEqual(prices);
  const costAt = (atMs: number): string | null => priceAt(merged, atMs);
  const latestFirst = moves.toSorted((one, other) => other.resumedAtMs - one.resumedAtMs);
  const edges: number[] = [];
  const addEdges = (span: Span): void => {
    const part = clip(span, within);
    if (part === null) return;
    if (edges.at(-1) !== part.fromMs) edges.push(part.fromMs);
    edges.push(part.toMs);
  };
  for (const slot of merged) addEdges(slot);
  for (const move of moves) {
    const spanned = { fromMs: move.resumedAtMs, toMs: Math.min(move.endedAtMs ?? within.toMs, within.toMs) };
    addEdges(spanned);
    const delayMs = move.resumedAtMs - move.pausedAtMs;
    for (const { fromMs, toMs } of merged) {
      const moved = clip({ fromMs: fromMs + delayMs, toMs: toMs + delayMs }, spanned);
      if (moved !== null) addEdges(moved);
    }
  }
  return {
    // Those of the prices alone are ascending already.
    edges: moves.length === 0 ? edges : [...new Set(edges)].sort((one, other) => one - other),
    costAt,
    nonSmartCostAt: (atMs) => {
      const move = latestFirst.find(({ resumedAtMs, endedAtMs }) => {
        return atMs >= resumedAtMs && (endedAtMs === null || atMs < endedAtMs);
      });
      return move === undefined ? null : costAt(atMs - (move.resumedAtMs - move.pausedAtMs));
    },
  };
}

/** Merges adjacent spans with the same price. */
function mergeEqual(prices: readonly PricedSpan[]): PricedSpan[] {
  const merged: PricedSpan[] = [];
  for (const price of prices) {
    const last = merged.at(-1);
    if (last?.toMs === price.fromMs && last.cost === price.cost)
      merged[merged.length - 1] = { ...last, toMs: price.toMs };
    else merged.push(price);
  }
  return merged;
}

function priceAt(prices: readonly PricedSpan[], atMs: number): string | null {
  let low = 0;
  let high = prices.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((prices[middle]?.toMs ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  const found = prices[low];
  return found !== undefined && found.fromMs <= atMs ? found.cost : null;
}
