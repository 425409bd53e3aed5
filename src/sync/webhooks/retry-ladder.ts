import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../../domain/duration.ts";
import type { Random } from "../../platform/ports/ports.ts";

/** Pauses between the attempts of a delivery: 17 attempts in a day (rule S1.6). */
export const RETRY_PAUSES_MS: readonly number[] = [
  10 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  2 * MINUTE_MS,
  5 * MINUTE_MS,
  10 * MINUTE_MS,
  20 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  2 * HOUR_MS,
  3 * HOUR_MS,
  3 * HOUR_MS,
  4 * HOUR_MS,
  4 * HOUR_MS,
  4 * HOUR_MS,
];

/** Random share by which a pause is longer or shorter. */
const JITTER = 0.1;

/** Returns the pause after so many consecutive failures, ms; `null` after the last attempt. */
export function retryPauseMs(failures: number, random: Pick<Random, "next">): number | null {
  const pauseMs = RETRY_PAUSES_MS[failures - 1];
  return pauseMs === undefined ? null : pauseMs * (1 - JITTER + 2 * JITTER * random.next());
}

/** Returns the longest possible pause after so many failures, ms. */
export function longestPauseMs(failures: number): number {
  return (RETRY_PAUSES_MS[failures - 1] ?? 0) * (1 + JITTER);
}
