import { MINUTE_MS, SECOND_MS } from "../domain/duration.ts";

/** A missing part is read again after this fraction of the time for which it has been missing. */
const DELAY_SHARE = 1 / 4;
/** The shortest delay, ms. */
const SHORTEST_DELAY_MS = 10 * SECOND_MS;
/** The longest delay for a part that the device had before, ms: it exists, and is only disturbed for a while. */
const LONGEST_KNOWN_MS = MINUTE_MS;

/**
 * Returns how long to wait before something that a device seems not to have is read again, ms.
 * @param missingMs how long it has been missing, ms
 * @param isKnown true if the device had it before
 * @param longestMs the longest delay for something that the device never had, ms
 */
export function restOfMissing(missingMs: number, isKnown: boolean, longestMs: number): number {
  const longest = isKnown ? LONGEST_KNOWN_MS : longestMs;
  return Math.min(longest, Math.max(SHORTEST_DELAY_MS, missingMs * DELAY_SHARE));
}
