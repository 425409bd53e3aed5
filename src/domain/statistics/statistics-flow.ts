/** Energy in and out by bucket, without prices. */
import { clip, type Span } from "./statistics-reading.ts";
import type { SlottedRow } from "./statistics-series.ts";

/** The energy of a bucket, mWh. */
export interface Flow {
  readonly inMwh: number;
  readonly outMwh: number;
  /** Time of the bucket that readings cover, ms; with 0 the energies mean nothing. */
  readonly knownMs: number;
  /** Mean state of charge, %; `null` if none was read. */
  readonly level: number | null;
}

/** Adds up rows by bucket. Both have to be ascending without overlaps; a row in several buckets is split by time. */
export function flowByBucket(rows: readonly SlottedRow[], buckets: readonly Span[]): Flow[] {
  let first = 0;
  return buckets.map((bucket) => {
    while (first < rows.length && endOf(rows[first]) <= bucket.fromMs) first++;
    const sums = { inMwh: 0, outMwh: 0, knownMs: 0 };
    let levels = 0;
    let levelRows = 0;
    for (let index = first; index < rows.length; index++) {
      const slotted = rows[index];
      if (slotted === undefined || slotted.row.atMs >= bucket.toMs) break;
      const { row, slotMs } = slotted;
      const part = clip({ fromMs: row.atMs, toMs: row.atMs + slotMs }, bucket);
      if (part === null) continue;
      const share = (part.toMs - part.fromMs) / slotMs;
      sums.inMwh += row.inMwh * share;
      sums.outMwh += row.outMwh * share;
      sums.knownMs += row.knownMs * share;
      if (row.level === null) continue;
      levels += row.level;
      levelRows += 1;
    }
    return { ...sums, level: levelRows === 0 ? null : levels / levelRows };
  });
}

function endOf(slotted: SlottedRow | undefined): number {
  return slotted === undefined ? Number.POSITIVE_INFINITY : slotted.row.atMs + slotted.slotMs;
}
