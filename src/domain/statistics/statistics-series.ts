/** Adds up rows of energy by time bucket. */
import type { Costs } from "./statistics-costs.ts";
import { clip, type Span } from "./statistics-reading.ts";
import type { EnergyRow } from "./statistics-row.ts";
import { type Consumption, Tally } from "./statistics-tally.ts";

/** A row with the length of its slot, ms; the rows of one asset may have different lengths. */
export interface SlottedRow {
  readonly row: EnergyRow;
  readonly slotMs: number;
}

/** The energy of one asset with its prices. */
export interface AssetEnergy {
  /** Ascending, without overlaps. */
  readonly rows: readonly SlottedRow[];
  readonly costs: Costs;
}

/**
 * Returns a tally for each bucket. Buckets have to be ascending without overlaps; energy outside of them is not counted. A
 * row in several buckets, or with several prices, is split by time.
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

/** Adds up all rows in one tally. */
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

/** Splits a row by time into parts of whole mWh that add up to the energy of the row. */
function* split(row: EnergyRow, span: Span, cuts: readonly number[], first: number): Generator<Part> {
  const lengthMs = span.toMs - span.fromMs;
  let fromMs = span.fromMs;
  let doneMwh = 0;
  for (let index = first; fromMs < span.toMs; index++) {
    const part = clip({ fromMs, toMs: cuts[index] ?? span.toMs }, span) ?? { fromMs, toMs: span.toMs };
    const share = (part.toMs - part.fromMs) / lengthMs;
    const untilMwh = Math.round((row.inMwh * (part.toMs - span.fromMs)) / lengthMs);
    yield {
      ...part,
      mwh: untilMwh - doneMwh,
      knownMs: row.knownMs * share,
      flowMs: row.flowMs * share,
      flowMwh: row.flowMwh * share,
      minW: row.minW,
      maxW: row.maxW,
    };
    doneMwh = untilMwh;
    fromMs = part.toMs;
  }
}
