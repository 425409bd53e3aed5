/** Readings and time spans for statistics. */

import { DAY_MS, MINUTE_MS } from "../duration.ts";

/** The longest time between two readings over which power is interpolated (rule S8.1), ms. */
export const MAX_GAP_MS = 15 * MINUTE_MS;
/** The longest time between two readings of a counter whose difference counts, ms. */
export const MAX_COUNTER_GAP_MS = DAY_MS;

/** A value that a device reported, or `null` if it could not report it. */
export interface Sampled {
  /** Wall-clock ms. */
  readonly atMs: number;
  readonly value: number | null;
}

/** A span of time, wall-clock ms: `fromMs` is inclusive, `toMs` exclusive. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Returns the intersection of two spans; `null` if it is empty. */
export function clip(span: Span, within: Span): Span | null {
  const fromMs = Math.max(span.fromMs, within.fromMs);
  const toMs = Math.min(span.toMs, within.toMs);
  return fromMs < toMs ? { fromMs, toMs } : null;
}
