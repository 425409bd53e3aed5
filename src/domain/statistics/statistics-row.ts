/** The energy of a device in a time slot: the rows that all statistics add up. */

import { type HOUR_MS, MINUTE_MS } from "../duration.ts";

export const QUARTER_MS = 15 * MINUTE_MS;

/** Length of the time slots in which history is stored, ms. Slots begin at multiples of it since 1970. */
export type SlotMs = typeof MINUTE_MS | typeof QUARTER_MS | typeof HOUR_MS;

/**
 * The energy of one kind of asset of one device in a time slot. "In" is the positive direction of the kind: into a battery,
 * vehicle or HVAC unit, import of a meter, production of an inverter; "out" is the other one. Energy is in whole mWh.
 */
export interface EnergyRow {
  /** Start of the slot, wall-clock ms. */
  readonly atMs: number;
  /** Time of the slot in which power or a counter was known, ms. */
  readonly knownMs: number;
  readonly inMwh: number;
  readonly outMwh: number;
  /** Time of the slot between two consecutive readings with power in, ms, and its energy. */
  readonly flowMs: number;
  readonly flowMwh: number;
  /** First and last instant of that time, wall-clock ms; `null` if there is none. */
  readonly flowFromMs: number | null;
  readonly flowToMs: number | null;
  /** Lowest and highest power in, W; `null` if there was none. */
  readonly minW: number | null;
  readonly maxW: number | null;
  /** Mean state of charge, %; `null` if none was read. */
  readonly level: number | null;
}

/** Joins rows into longer slots. The rows have to be ascending, and their slots have to divide the longer one. */
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

/** Returns the start of the slot that contains an instant, wall-clock ms. */
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

/** Rounds a state of charge to 0.1 %. */
export function tenths(level: number): number {
  return Math.round(level * 10) / 10;
}

function leastOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values);
}

function largestOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}
