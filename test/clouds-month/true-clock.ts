import type { Clock } from "../../src/platform/ports/ports.ts";

/** The time that the vendors go by: it is right whatever the gateway's clock shows. */
export function trueClock(clock: Clock, startMs: number): Clock {
  return {
    monotonicMs: () => clock.monotonicMs(),
    nowMs: () => Math.floor(startMs + clock.monotonicMs()),
    quality: () => "synced",
    timer: (delayMs, callback) => clock.timer(delayMs, callback),
    sleep: (delayMs, signal) => clock.sleep(delayMs, signal),
  };
}
