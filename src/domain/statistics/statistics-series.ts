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

/** Adds up energy by time bucket; energy outside of the buckets is not counted. */
export class BucketTallies {
  readonly #buckets: readonly Span[];
  readonly #tallies: (Tally | undefined)[];
  /** The cuts of the last prices, because assets that share prices come one after the other. */
  #cuts: { readonly costs: Costs; readonly at: readonly number[] } | null = null;

  /** Buckets have to be ascending without overlaps. */
  constructor(buckets: readonly Span[]) {
    this.#buckets = buckets;
    this.#tallies = new Array<undefined>(buckets.length).fill(undefined);
  }

  /** Adds rows of an asset. A row in several buckets, or with several prices, is split by time. */
  add({ rows, costs }: AssetEnergy): void {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return;
    const buckets = this.#buckets;
    let bucket = this.#bucketEndingAfter(first.row.atMs);
    for (const part of partsOf(rows, this.#cutsOf(costs))) {
      while (bucket < buckets.length && (buckets[bucket]?.toMs ?? 0) <= part.fromMs) bucket++;
      if (part.fromMs < (buckets[bucket]?.fromMs ?? Number.POSITIVE_INFINITY)) continue;
      const tally = this.#tallies[bucket] ?? new Tally();
      this.#tallies[bucket] = tally;
      tally.add(part, costs.costAt(part.fromMs), costs.nonSmartCostAt(part.fromMs));
    }
  }

  /** Returns a tally for each bucket that energy was added to, with the bucket's index; ascending. */
  *entries(): Generator<readonly [number, Tally]> {
    for (const [index, tally] of this.#tallies.entries()) if (tally !== undefined) yield [index, tally];
  }

  #cutsOf(costs: Costs): readonly number[] {
    if (this.#cuts?.costs === costs) return this.#cuts.at;
    const at = merged(costs.edges, this.#buckets);
    this.#cuts = { costs, at };
    return at;
  }

  #bucketEndingAfter(atMs: number): number {
    let [low, high] = [0, this.#buckets.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#buckets[middle]?.toMs ?? 0) <= atMs) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Adds up all rows in one tally. */
export function tallyOf({ rows, costs }: AssetEnergy): Tally {
  const tally = new Tally();
  for (const part of partsOf(rows, costs.edges)) {
    tally.add(part, costs.costAt(part.fromMs), costs.nonSmartCostAt(part.fromMs));
  }
  return tally;
}

type Part = Consumption & Span;

/** Joins ascending edges and the ends of buckets. */
function merged(edges: readonly number[], buckets: readonly Span[]): readonly number[] {
  const cuts: number[] = [];
  let next = 0;
  const add = (atMs: number): void => {
    for (; (edges[next] ?? Number.POSITIVE_INFINITY) <= atMs; next++) push(cuts, edges[next] ?? atMs);
    push(cuts, atMs);
  };
  for (const { fromMs, toMs } of buckets) {
    add(fromMs);
    add(toMs);
  }
  for (; next < edges.length; next++) push(cuts, edges[next] ?? 0);
  return cuts;
}

function push(cuts: number[], atMs: number): void {
  if (cuts.at(-1) !== atMs) cuts.push(atMs);
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
