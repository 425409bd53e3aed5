import type { Random } from "../platform/ports.ts";

/** The pause after the first failure; it doubles with each further one. */
export const BACKOFF_FLOOR_MS = 1_000;
export const BACKOFF_CEILING_MS = 60_000;
/** Part of the pause that chance decides, so that devices behind one switch do not come back in step. */
const JITTER = 0.5;

/** How long to wait after `failures` failures in a row, ms; between half of the doubled pause and all of it. */
export function backoffMs(failures: number, random: Pick<Random, "next">): number {
  const full = Math.min(BACKOFF_CEILING_MS, BACKOFF_FLOOR_MS * 2 ** Math.max(0, failures - 1));
  return full * (1 - JITTER * random.next());
}
