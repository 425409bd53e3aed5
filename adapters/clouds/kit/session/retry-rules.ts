/** What is asked again, and when. */
import { DAY_MS, type Random, retryAfterMs } from "hemgate/sdk";
import type { CloudAnswer } from "../connector.ts";

export const MAX_TRIES = 3;
/** The longest pause before the second try, ms; it doubles with each further one. */
const FIRST_PAUSE_MS = 2_000;
/** No vendor wants to be left alone for longer. */
const LONGEST_RETRY_AFTER_MS = 31 * DAY_MS;

const BRIEF_TROUBLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** True: the status passes. 500 means so many things that only what reads is asked again. */
export function isBriefTrouble(status: number, method: string): boolean {
  return BRIEF_TROUBLE.has(status) || (status === 500 && method === "GET");
}

/** Before the try after `tries`: by chance up to a limit that doubles, and no sooner than the vendor wants, ms. */
export function pauseMs(tries: number, restMs: number | null, random: Pick<Random, "next">): number {
  const jitterMs = random.next() * FIRST_PAUSE_MS * 2 ** (tries - 1);
  return Math.max(jitterMs, (restMs ?? 0) + random.next() * FIRST_PAUSE_MS);
}

/** How long the vendor wants to be left alone, ms. */
export function restMs({ headers }: Pick<CloudAnswer, "headers">, nowMs: number): number | null {
  const ms = retryAfterMs({ retryAfter: headers["retry-after"], date: headers["date"] }, nowMs);
  return ms === null ? null : Math.min(ms, LONGEST_RETRY_AFTER_MS);
}
