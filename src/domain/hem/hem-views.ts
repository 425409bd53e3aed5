/** Several devices that report the same house: which one counts, and which ones fill its gaps. */
import type { SlottedRow } from "../statistics/statistics-series.ts";

/** The kinds of asset that make up an energy system. */
export const HEM_KINDS = ["battery", "inverter", "meter"] as const;
export type HemKind = (typeof HEM_KINDS)[number];

/** An energy manager with what decides its precedence among others. */
export interface Manager {
  readonly deviceId: string;
  /** How many parts of the house it reports: kinds of asset, and the load. */
  readonly sees: number;
  /** Since when the gateway knows it, wall-clock ms. */
  readonly knownSinceMs: number;
}

/** Orders managers: most parts of the house first, then the one known longest. The order survives restarts. */
export function byCoverage(a: Manager, b: Manager): number {
  if (a.sees !== b.sees) return b.sees - a.sees;
  if (a.knownSinceMs !== b.knownSinceMs) return a.knownSinceMs - b.knownSinceMs;
  return a.deviceId < b.deviceId ? -1 : 1;
}

/** The rows of a device for one kind. The lowest rank counts; devices of the same rank are added up. */
export interface RankedRows {
  readonly rank: number;
  /** Ascending, without overlaps. */
  readonly rows: readonly SlottedRow[];
}

/** Returns the rows of each device that count: those of times that no device of a lower rank covers. */
export function countedRows(devices: readonly RankedRows[]): readonly (readonly SlottedRow[])[] {
  const ranks = [...new Set(devices.map(({ rank }) => rank))].sort((a, b) => a - b);
  const above: (readonly SlottedRow[])[] = [];
  const counted = new Map<RankedRows, readonly SlottedRow[]>();
  for (const rank of ranks) {
    const own = devices.filter((device) => device.rank === rank);
    for (const device of own) counted.set(device, above.length === 0 ? device.rows : unseen(device.rows, above));
    above.push(...own.map((device) => counted.get(device) ?? []));
  }
  return devices.map((device) => counted.get(device) ?? []);
}

/** Returns the rows reduced by the part of each slot that the others cover. */
export function unseen(rows: readonly SlottedRow[], others: readonly (readonly SlottedRow[])[]): readonly SlottedRow[] {
  const knownMs = others.map((known) => knownBySlot(rows, known));
  return rows.flatMap(({ row, slotMs }, index) => {
    const seenMs = knownMs.reduce((sum, known) => sum + (known[index] ?? 0), 0);
    const share = Math.max(0, 1 - seenMs / slotMs);
    if (share === 0) return [];
    const part = { ...row, inMwh: row.inMwh * share, outMwh: row.outMwh * share, knownMs: row.knownMs * share };
    return [{ row: share > 0.5 ? part : { ...part, level: null }, slotMs }];
  });
}

/** Returns how much of each row's slot the other rows cover, ms. */
function knownBySlot(rows: readonly SlottedRow[], known: readonly SlottedRow[]): readonly number[] {
  let first = 0;
  return rows.map(({ row, slotMs }) => {
    const toMs = row.atMs + slotMs;
    while (first < known.length && endOf(known[first]) <= row.atMs) first++;
    let sum = 0;
    for (let index = first; index < known.length; index++) {
      const other = known[index];
      if (other === undefined || other.row.atMs >= toMs) break;
      const overlapMs = Math.min(toMs, endOf(other)) - Math.max(row.atMs, other.row.atMs);
      sum += (other.row.knownMs * overlapMs) / other.slotMs;
    }
    return sum;
  });
}

function endOf(slotted: SlottedRow | undefined): number {
  return slotted === undefined ? Number.POSITIVE_INFINITY : slotted.row.atMs + slotted.slotMs;
}
