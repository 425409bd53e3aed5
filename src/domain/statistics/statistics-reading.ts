/** Readings and stretches of wall-clock time, as statistics take them. */

/** The longest time between two readings that a straight line is drawn over (rule S8.1), ms. */
export const MAX_GAP_MS = 15 * 60_000;
/** The longest time without readings whose energy a counter still tells, ms. */
export const MAX_COUNTER_GAP_MS = 24 * 3_600_000;

/** A number that a device gave, or null when it could not tell. */
export interface Sampled {
  /** Wall-clock ms. */
  readonly atMs: number;
  readonly value: number | null;
}

/** From an instant, inclusive, to another, exclusive, wall-clock ms. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The part of a span that lies in another; null when there is none. */
export function clip(span: Span, within: Span): Span | null {
  const fromMs = Math.max(span.fromMs, within.fromMs);
  const toMs = Math.min(span.toMs, within.toMs);
  return fromMs < toMs ? { fromMs, toMs } : null;
}
