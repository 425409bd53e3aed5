/** Finds charging sessions in a series of rows. */
import { HOUR_MS, MINUTE_MS } from "../duration.ts";
import { MAX_GAP_MS, type Span } from "./statistics-reading.ts";
import type { EnergyRow } from "./statistics-row.ts";
import type { SlottedRow } from "./statistics-series.ts";

/** A shorter pause, such as while a vehicle balances its cells, does not end a session. */
const SESSION_PAUSE_MS = MINUTE_MS;

/** A continuous consumption that at least two consecutive readings show. */
export interface Session extends Span {
  /** Rows of the session, with those in which the power rises before it and falls after it. */
  readonly rows: readonly SlottedRow[];
  readonly isFinished: boolean;
}

/**
 * Finds sessions in rows that come one part after the other, so that years need not be held at once. A session is finished
 * if later readings show no consumption, or after 15 minutes without readings.
 */
export class SessionFinder {
  readonly #nowMs: number;
  /** Rows that a session may still need, none before the end of the last one that was returned. */
  #rows: readonly SlottedRow[] = [];

  /** `nowMs`: the present time, wall-clock ms. */
  constructor(nowMs: number) {
    this.#nowMs = nowMs;
  }

  /** Takes the next rows, ascending, and returns the sessions that later rows cannot change any more. */
  add(rows: readonly SlottedRow[]): Session[] {
    this.#rows = this.#rows.length === 0 ? rows : [...this.#rows, ...rows];
    return this.#find(false);
  }

  /** Returns the rest of the sessions; there are no more rows. */
  end(): Session[] {
    return this.#find(true);
  }

  #find(isAll: boolean): Session[] {
    const rows = this.#rows;
    const sessions: Session[] = [];
    let free = 0;
    for (let index = 0; index < rows.length; index++) {
      const flow = flowAt(rows, index);
      if (flow === null) continue;
      const { last, toMs, isEnded } = endOf(rows, index, flow.toMs);
      const start = rise(rows, index, free);
      const end = fall(rows, last);
      const isFinished = isOver(rows, last, toMs, this.#nowMs);
      if (!isAll && !(isEnded && isFinished && end < rows.length)) {
        this.#rows = rows.slice(start);
        return sessions;
      }
      sessions.push({ fromMs: flow.fromMs, toMs, rows: rows.slice(start, end), isFinished });
      free = end;
      index = last;
    }
    // In the last of these the power may rise before a session.
    const nearMs = (rows.at(-1)?.row.atMs ?? 0) - MAX_GAP_MS;
    this.#rows = rows.slice(free).filter(({ row }) => row.atMs >= nearMs);
    return sessions;
  }
}

/** Returns the last row with flow of the session, and whether a row after it shows that it ended. */
function endOf(
  rows: readonly SlottedRow[],
  first: number,
  flowToMs: number,
): { readonly last: number; readonly toMs: number; readonly isEnded: boolean } {
  let last = first;
  let toMs = flowToMs;
  for (let next = first + 1; next < rows.length; next++) {
    if ((rows[next]?.row.atMs ?? 0) - toMs >= SESSION_PAUSE_MS) return { last, toMs, isEnded: true };
    const later = flowAt(rows, next);
    if (later === null) continue;
    if (later.fromMs - toMs >= SESSION_PAUSE_MS) return { last, toMs, isEnded: true };
    last = next;
    toMs = later.toMs;
  }
  return { last, toMs, isEnded: false };
}

function flowAt(rows: readonly SlottedRow[], index: number): Span | null {
  const row = rows[index]?.row;
  if (row === undefined || row.flowFromMs === null || row.flowToMs === null) return null;
  return { fromMs: row.flowFromMs, toMs: row.flowToMs };
}

function isOver(rows: readonly SlottedRow[], last: number, toMs: number, nowMs: number): boolean {
  if (nowMs - toMs >= MAX_GAP_MS) return true;
  return rows.slice(last).some(({ row }) => row.knownMs > 0 && row.atMs + row.knownMs - toMs >= SESSION_PAUSE_MS);
}

/** Returns the index of the first row in which the power rises: after the last reading without consumption. */
function rise(rows: readonly SlottedRow[], first: number, free: number): number {
  let start = first;
  while (start > free && isRamp(rows[start - 1], rows[start], rows[first])) start--;
  return start;
}

/** Returns the index after the last row in which the power falls. */
function fall(rows: readonly SlottedRow[], last: number): number {
  let end = last + 1;
  while (end < rows.length && isRamp(rows[end], rows[end - 1], rows[last])) end++;
  return end;
}

/** Returns true if a row without flow has energy, is next to `beside`, and is within 15 minutes of the session's edge. */
function isRamp(row: SlottedRow | undefined, beside: SlottedRow | undefined, edge: SlottedRow | undefined): boolean {
  if (row === undefined || beside === undefined || edge === undefined) return false;
  const isNear = Math.abs(row.row.atMs - beside.row.atMs) <= Math.max(row.slotMs, beside.slotMs);
  const isClose = Math.abs(row.row.atMs - edge.row.atMs) <= MAX_GAP_MS;
  return isNear && isClose && row.row.flowMs === 0 && row.row.inMwh > 0;
}

/**
 * Returns the hours that have to be looked at in minutes to see where sessions begin and end. An hour within a session
 * needs not: power flowed all the time, and in the hours beside it too. `hours` are ascending rows of hours.
 */
export function hoursWithEnds(hours: readonly EnergyRow[]): ReadonlySet<number> {
  const found = new Set<number>();
  for (const [index, { atMs, flowMs, flowFromMs, flowToMs }] of hours.entries()) {
    if (flowMs === 0 || flowFromMs === null || flowToMs === null) continue;
    const [before, after] = [hours[index - 1]?.flowToMs ?? null, hours[index + 1]?.flowFromMs ?? null];
    const isPaused = HOUR_MS - flowMs >= SESSION_PAUSE_MS;
    const isJoined =
      before !== null &&
      after !== null &&
      flowFromMs - before < SESSION_PAUSE_MS &&
      after - flowToMs < SESSION_PAUSE_MS;
    if (!isPaused && isJoined) continue;
    found.add(atMs);
    // The power rises before a session, and falls after it, in minutes that are near its ends.
    if (flowFromMs - atMs <= MAX_GAP_MS && !isFlowing(hours[index - 1])) found.add(atMs - HOUR_MS);
    if (atMs + HOUR_MS - flowToMs <= MAX_GAP_MS && !isFlowing(hours[index + 1])) found.add(atMs + HOUR_MS);
  }
  return found;
}

function isFlowing(row: EnergyRow | undefined): boolean {
  return row !== undefined && row.flowMs > 0;
}
