/** Several views of one house: which device is believed, and who fills in while it is silent. */
import type { SlottedRow } from "../statistics/statistics-series.ts";

/** The parts of a house that a device can see. */
export const HEM_KINDS = ["battery", "inverter", "meter"] as const;
export type HemKind = (typeof HEM_KINDS)[number];

/** An energy manager as far as its standing among others goes. */
export interface Manager {
  readonly deviceId: string;
  /** How much of the house it sees: its kinds, and the load. */
  readonly sees: number;
  /** Wall-clock ms. */
  readonly knownSinceMs: number;
}

/** The one that sees most of the house first, then the one that is known longest: the same after every restart. */
export function byStanding(a: Manager, b: Manager): number {
  if (a.sees !== b.sees) return b.sees - a.sees;
  if (a.knownSinceMs !== b.knownSinceMs) return a.knownSinceMs - b.knownSinceMs;
  return a.deviceId < b.deviceId ? -1 : 1;
}

/** What a device measured of a kind. Of several ranks the lowest is believed; devices of one rank are added up. */
export interface RankedRows {
  readonly rank: number;
  /** Ascending, without overlaps. */
  readonly rows: readonly SlottedRow[];
}

/** The rows that count, device by device: a device counts for what none of a lower rank knows of the same time. */
export function believed(devices: readonly RankedRows[]): readonly (readonly SlottedRow[])[] {
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

/** The rows less the part of each slot that others know. */
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

/** For how much of each row's slot something is known, ms. */
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
