/** What is tried again rests this share of the time for which it has been refused or silent, */
const REST_SHARE = 1 / 4;
/** and at least so long, ms. */
const SHORTEST_REST_MS = 10_000;
/** What a device had before is there, and missing only while something is in the way: it rests no longer than this, ms. */
const LONGEST_KNOWN_MS = 60_000;

/**
 * How long to leave alone what a device seems not to have, ms. A bad minute is forgotten in a minute.
 * @param missingMs for how long it has been missing
 * @param isKnown it was there before
 * @param longestMs the longest rest of what was never there
 */
export function restOfMissing(missingMs: number, isKnown: boolean, longestMs: number): number {
  const longest = isKnown ? LONGEST_KNOWN_MS : longestMs;
  return Math.min(longest, Math.max(SHORTEST_REST_MS, missingMs * REST_SHARE));
}
