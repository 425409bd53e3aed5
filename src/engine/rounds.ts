/** Instants at which the parts of the engine tell what they gathered, so that their entries share one synced write. */
import { MINUTE_MS } from "../domain/duration.ts";
import type { Clock } from "../platform/ports/ports.ts";

export const ROUND_MS = 5 * MINUTE_MS;

/** How long it is to the next multiple of `everyMs` of the monotonic clock, ms; never 0. */
export function untilNext(clock: Pick<Clock, "monotonicMs">, everyMs: number): number {
  return everyMs - (clock.monotonicMs() % everyMs);
}
