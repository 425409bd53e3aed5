import type { Random } from "./ports/ports.ts";

/** The first pause and the longest one, ms. */
export interface BackoffRange {
  readonly floorMs: number;
  readonly ceilingMs: number;
}

/** Part of the pause that chance decides, so that devices behind one switch do not come back in step. */
const JITTER = 0.5;

/**
 * How long to leave alone what has failed `failures` times in a row, ms: doubled with each failure up to the ceiling,
 * less up to half of it by chance; `random` is `null` where nothing comes back in step.
 */
export function backoffMs(
  failures: number,
  { floorMs, ceilingMs }: BackoffRange,
  random: Pick<Random, "next"> | null,
): number {
  const fullMs = Math.min(ceilingMs, floorMs * 2 ** Math.max(0, failures - 1));
  return fullMs * (1 - JITTER * (random?.next() ?? 0));
}
