/** Finds charging sessions in a series of rows. */
import { MINUTE_MS } from "../duration.ts";
import { MAX_GAP_MS, type Span } from "./statistics-reading.ts";
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
 * Returns the sessions in rows, which have to be ascending. A session is finished if later readings show no consumption, or
 * after 15 minutes without readings.
 */
export function sessionsIn(rows: readonly SlottedRow[], nowMs: number): Session[] {
  const sessions: Session[] = [];
  let free = 0;
  for (let index = 0; index < rows.length; index++) {
    const flow = flowAt(rows, index);
    if (flow === null) continue;
    let last = index;
    let toMs = flow.toMs;
    for (let next = index + 1; next < rows.length; next++) {
      if ((rows[next]?.row.atMs ?? 0) - toMs >= SESSION_PAUSE_MS) break;
      const later = flowAt(rows, next);
      if (later === null) continue;
      if (later.fromMs - toMs >= SESSION_PAUSE_MS) break;
      last = next;
      toMs = later.toMs;
    }
    const start = rise(rows, index, free);
    free = fall(rows, last);
    sessions.push({
      fromMs: flow.fromMs,
      toMs,
      rows: rows.slice(start, free),
      isFinished: isOver(rows, last, toMs, nowMs),
    });
    index = last;
  }
  return sessions;
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
