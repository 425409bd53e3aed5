/** What energy of an asset cost at each instant, and what it would have cost had smart charging not moved it. */
import type { PricedSpan } from "../market/price-curve.ts";
import { clip, type Span } from "./statistics-reading.ts";

/** What was drawn from `resumedAtMs` on would have been drawn from `pausedAtMs` on. */
export interface ChargeMove {
  readonly pausedAtMs: number;
  readonly resumedAtMs: number;
  /** Null while it goes on. */
  readonly endedAtMs: number | null;
}

export interface Costs {
  /** The instants at which one of the answers below changes, ascending. */
  readonly edges: readonly number[];
  /** Decimal text, currency units per kWh; null when no price is known. */
  costAt(atMs: number): string | null;
  /** The price that smart charging avoided; null when it moved nothing then, or the price is not known. */
  nonSmartCostAt(atMs: number): string | null;
}

/** Prices are ascending and do not overlap; of moves that overlap the one that resumed last counts. */
export function costsOf(prices: readonly PricedSpan[], moves: readonly ChargeMove[], within: Span): Costs {
  const merged = mergeEqual(prices);
  const costAt = (atMs: number): string | null => priceAt(merged, atMs);
  const latestFirst = moves.toSorted((one, other) => other.resumedAtMs - one.resumedAtMs);
  const edges = new Set<number>();
  const addEdges = (span: Span): void => {
    const part = clip(span, within);
    if (part === null) return;
    edges.add(part.fromMs);
    edges.add(part.toMs);
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
    edges: [...edges].sort((one, other) => one - other),
    costAt,
    nonSmartCostAt: (atMs) => {
      const move = latestFirst.find(({ resumedAtMs, endedAtMs }) => {
        return atMs >= resumedAtMs && (endedAtMs === null || atMs < endedAtMs);
      });
      return move === undefined ? null : costAt(atMs - (move.resumedAtMs - move.pausedAtMs));
    },
  };
}

/** Neighbours of the same price are one. */
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
