import { MINUTE_MS } from "hemgate/sdk";

/** What markets trade in, ms: quarters, halves and whole hours. */
const LENGTHS: readonly number[] = [15, 30, 60].map((minutes) => minutes * MINUTE_MS);

/**
 * How long each price holds where only the starts are published: as long as the closest two are apart, so that a missing
 * one leaves a gap. Null: fewer than two starts, or such as no market has.
 */
export function slotMsOf(startsMs: readonly number[]): number | null {
  const sorted = [...startsMs].sort((a, b) => a - b);
  const apart = sorted.slice(1).map((startMs, index) => startMs - (sorted[index] ?? startMs));
  const shortest = Math.min(...apart);
  return LENGTHS.includes(shortest) ? shortest : null;
}
