/** Sums rows of energy into buckets of time. */
import type { Costs } from "./statistics-costs.ts";
import { clip, type Span } from "./statistics-reading.ts";
import type { EnergyRow } from "./statistics-row.ts";
import { type Consumption, Tally } from "./statistics-tally.ts";

/** A row with the length of its slot; rows of one asset may be of several lengths. */
export interface SlottedRow {
  readonly row: EnergyRow;
  readonly slotMs: number;
}

/** The energy of one asset. */
export interface AssetEnergy {
  /** Ascending, without overlaps. */
  readonly rows: readonly SlottedRow[];
  readonly costs: Costs;
}

/**
 * A tally per bucket. The buckets are ascending and do not overlap; energy outside of them is not counted. A row that
 * lies in several, or under several prices, is split by time.
 */
export function tallyByBucket(assets: readonly AssetEnergy[], buckets: readonly Span[]): Tally[] {
  const tallies = buckets.map(() => new Tally());
  const cutsByCosts = new Map<Costs, readonly number[]>();
  for (const { rows, costs } of assets) {
    const cuts = cutsByCosts.get(costs) ?? cutsOf(buckets, costs.edges);
    cutsByCosts.set(costs, cuts);
    let bucket = 0;
    for (const part of partsOf(rows, cuts)) {
      while (bucket < buckets.length && (buckets[bucket]?.toMs ?? 0) <= part.fromMs) bucket++;
      if (part.fromMs >= (buckets[bucket]?.fromMs ?? Number.POSITIVE_INFINITY)) {
        tallies[bucket]?.add(priced(part, costs));
      }
    }
  }
  return tallies;
}

/** All of it in one tally. */
export function tallyOf({ rows, costs }: AssetEnergy): Tally {
  const tally = new Tally();
  for (const part of partsOf(rows, costs.edges)) tally.add(priced(part, costs));
  return tally;
}

type Part = Omit<Consumption, "cost" | "nonSmartCost"> & Span;

function priced(part: Part, costs: Costs): Consumption {
  return { ...part, cost: costs.costAt(part.fromMs), nonSmartCost: costs.nonSmartCostAt(part.fromMs) };
}

function cutsOf(buckets: readonly Span[], edges: readonly number[]): readonly number[] {
  const cuts = new Set(edges);
  for (const { fromMs, toMs } of buckets) cuts.add(fromMs).add(toMs);
  return [...cuts].sort((one, other) => one - other);
}

function* partsOf(rows: readonly SlottedRow[], cuts: readonly number[]): Generator<Part> {
  let next = 0;
  for (const { row, slotMs } of rows) {
    if (row.inMwh === 0 && row.maxW === null) continue;
    const span = { fromMs: row.atMs, toMs: row.atMs + slotMs };
    while (next < cuts.length && (cuts[next] ?? 0) <= span.fromMs) next++;
    if ((cuts[next] ?? span.toMs) >= span.toMs) yield whole(row, span);
    else yield* split(row, span, cuts, next);
  }
}

function whole(row: EnergyRow, span: Span): Part {
  const { inMwh: mwh, knownMs, flowMs, flowMwh, minW, maxW } = row;
  return { ...span, mwh, knownMs, flowMs, flowMwh, minW, maxW };
}

/** Shares of a row by time, in whole milliwatt hours that add up to its own. */
function* split(row: EnergyRow, span: Span, cuts: readonly number[], first: number): Generator<Part> {
  const lengthMs = span.toMs - span.fromMs;
  let fromMs = span.fromMs;
  let given = 0;
  for (let index = first; fromMs < span.toMs; index++) {
    const part = clip({ fromMs, toMs: cuts[index] ?? span.toMs }, span) ?? { fromMs, toMs: span.toMs };
    const share = (part.toMs - part.fromMs) / lengthMs;
    const until = Math.round((row.inMwh * (part.toMs - span.fromMs)) / lengthMs);
    yield {
      ...part,
      mwh: until - given,
      knownMs: row.knownMs * share,
      flowMs: row.flowMs * share,
      flowMwh: row.flowMwh * share,
      minW: row.minW,
      maxW: row.maxW,
    };
    given = until;
    fromMs = part.toMs;
  }
}
