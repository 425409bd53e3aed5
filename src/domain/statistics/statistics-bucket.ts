/** The time buckets of statistics. They have a fixed offset from UTC, without daylight saving time. */
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from "../duration.ts";
import type { StatisticsResolution } from "./statistics.ts";
import type { Span } from "./statistics-reading.ts";
import { QUARTER_MS, slotStart } from "./statistics-row.ts";

/** 1970-01-01 was a Thursday; weeks start on Monday. */
const FIRST_MONDAY_MS = 4 * DAY_MS;

/**
 * Returns the bucket that contains an instant. `offsetMs` is how far the wall clock of days, weeks, months and years is
 * ahead of UTC; shorter buckets do not depend on it (rule I4.11).
 */
export function bucketAt(resolution: StatisticsResolution, atMs: number, offsetMs: number): Span {
  switch (resolution) {
    case "QUARTER_HOUR":
      return slot(atMs, QUARTER_MS, 0);
    case "HALF_HOUR":
      return slot(atMs, 30 * MINUTE_MS, 0);
    case "HOUR":
      return slot(atMs, HOUR_MS, 0);
    case "DAY":
      return slot(atMs, DAY_MS, -offsetMs);
    case "WEEK":
      return slot(atMs, WEEK_MS, FIRST_MONDAY_MS - offsetMs);
    case "MONTH":
      return months(atMs, 1, offsetMs);
    case "YEAR":
      return months(atMs, 12, offsetMs);
    default:
      return resolution satisfies never;
  }
}

/** Returns the buckets that overlap a span, ascending. */
export function bucketsIn(resolution: StatisticsResolution, span: Span, offsetMs: number): Span[] {
  const buckets: Span[] = [];
  for (let atMs = span.fromMs; atMs < span.toMs; ) {
    const bucket = bucketAt(resolution, atMs, offsetMs);
    buckets.push(bucket);
    atMs = bucket.toMs;
  }
  return buckets;
}

function slot(atMs: number, lengthMs: number, phaseMs: number): Span {
  const fromMs = slotStart(atMs - phaseMs, lengthMs) + phaseMs;
  return { fromMs, toMs: fromMs + lengthMs };
}

function months(atMs: number, count: 1 | 12, offsetMs: number): Span {
  const local = new Date(atMs + offsetMs);
  const year = local.getUTCFullYear();
  const month = count === 12 ? 0 : local.getUTCMonth();
  return { fromMs: Date.UTC(year, month) - offsetMs, toMs: Date.UTC(year, month + count) - offsetMs };
}
