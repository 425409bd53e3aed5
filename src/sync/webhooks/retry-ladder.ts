import type { Random } from "../../platform/ports/ports.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses between the attempts of a delivery: 17 attempts over a day (rule S1.6). */
export const RETRY_PAUSES_MS: readonly number[] = [
  10 * SECOND,
  30 * SECOND,
  1 * MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  20 * MINUTE,
  30 * MINUTE,
  1 * HOUR,
  2 * HOUR,
  2 * HOUR,
  3 * HOUR,
  3 * HOUR,
  4 * HOUR,
  4 * HOUR,
  4 * HOUR,
];

/** Part of a pause by which chance makes it longer or shorter. */
const JITTER = 0.1;

/** The pause after so many failed attempts in a row, ms; null when that was the last one. */
export function retryPauseMs(failures: number, random: Pick<Random, "next">): number | null {
  const pauseMs = RETRY_PAUSES_MS[failures - 1];
  return pauseMs === undefined ? null : pauseMs * (1 - JITTER + 2 * JITTER * random.next());
}

/** The longest pause after so many failed attempts, ms. */
export function longestPauseMs(failures: number): number {
  return (RETRY_PAUSES_MS[failures - 1] ?? 0) * (1 + JITTER);
}
