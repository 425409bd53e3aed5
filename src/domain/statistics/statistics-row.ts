/** What a device moved in a slot of time: the rows that all statistics are sums of. */

import { type HOUR_MS, MINUTE_MS } from "../duration.ts";

export const QUARTER_MS = 15 * MINUTE_MS;

/** Wall-clock length of the slots that history is kept in, ms. Slots begin at whole multiples since 1970. */
export type SlotMs = typeof MINUTE_MS | typeof QUARTER_MS | typeof HOUR_MS;

/**
 * A slot of one kind of asset of one device. "In" is the direction that is positive for the kind: into a battery,
 * vehicle or unit, import at a meter, production of an inverter; "out" is the other. Energy is whole milliwatt hours.
 */
export interface EnergyRow {
  /** Start of the slot, wall-clock ms. */
  readonly atMs: number;
  /** For how much of the slot power or a counter was known, ms. */
  readonly knownMs: number;
  readonly inMwh: number;
  readonly outMwh: number;
  /** For how much of the slot two readings in a row showed power in, ms, and the energy under them. */
  readonly flowMs: number;
  readonly flowMwh: number;
  /** First and last instant of the slot at which power in was shown by two readings in a row; null when never. */
  readonly flowFromMs: number | null;
  readonly flowToMs: number | null;
  /** Least and largest power in while there was any, W; null when there was none. */
  readonly minW: number | null;
  readonly maxW: number | null;
  /** Mean state of charge, %; null when none was read. */
  readonly level: number | null;
}

/** Rows of longer slots. The given ones are ascending and of shorter slots that divide the longer one. */
export function coarserRows(rows: readonly EnergyRow[], slotMs: SlotMs): EnergyRow[] {
  const coarse: EnergyRow[] = [];
  for (let start = 0; start < rows.length; ) {
    const atMs = slotStart(rows[start]?.atMs ?? 0, slotMs);
    let end = start;
    while (end < rows.length && (rows[end]?.atMs ?? 0) < atMs + slotMs) end++;
    coarse.push(joinRows(atMs, rows.slice(start, end)));
    start = end;
  }
  return coarse;
}

export function slotStart(atMs: number, slotMs: number): number {
  return Math.floor(atMs / slotMs) * slotMs;
}

function joinRows(atMs: number, rows: readonly EnergyRow[]): EnergyRow {
  const sum = (of: (row: EnergyRow) => number): number => rows.reduce((total, row) => total + of(row), 0);
  const present = (of: (row: EnergyRow) => number | null): number[] => {
    return rows.map(of).filter((value) => value !== null);
  };
  const levels = present((row) => row.level);
  return {
    atMs,
    knownMs: sum((row) => row.knownMs),
    inMwh: sum((row) => row.inMwh),
    outMwh: sum((row) => row.outMwh),
    flowMs: sum((row) => row.flowMs),
    flowMwh: sum((row) => row.flowMwh),
    flowFromMs: leastOrNull(present((row) => row.flowFromMs)),
    flowToMs: largestOrNull(present((row) => row.flowToMs)),
    minW: leastOrNull(present((row) => row.minW)),
    maxW: largestOrNull(present((row) => row.maxW)),
    level: levels.length === 0 ? null : tenths(levels.reduce((total, level) => total + level, 0) / levels.length),
  };
}

/** A state of charge to a tenth of a percent, as rows keep it. */
export function tenths(level: number): number {
  return Math.round(level * 10) / 10;
}

function leastOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values);
}

function largestOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}
