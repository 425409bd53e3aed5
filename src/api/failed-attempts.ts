/** How often an address failed lately, so that secrets cannot be guessed by trying (supplement 9.3). */
import type { Clock } from "../platform/ports.ts";
import { networkOf } from "./addresses.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Addresses remembered; the ones that failed longest ago are forgotten first. */
const MAX_ADDRESSES = 1_000;

export interface FailedAttempts {
  /** Milliseconds until the address may try again; 0 when it may now. */
  waitMs(address: string): number;
  /** Notes a failure and tells whether the address is blocked from now on. */
  note(address: string): boolean;
}

export function createFailedAttempts(clock: Pick<Clock, "monotonicMs">): FailedAttempts {
  const failures = new Map<string, readonly number[]>();

  const recent = (source: string): readonly number[] => {
    const since = clock.monotonicMs() - WINDOW_MS;
    return (failures.get(source) ?? []).filter((atMs) => atMs > since);
  };

  return {
    waitMs(address) {
      const times = recent(networkOf(address));
      const [oldest] = times.slice(-MAX_FAILURES);
      return oldest === undefined || times.length < MAX_FAILURES ? 0 : oldest + WINDOW_MS - clock.monotonicMs();
    },
    note(address) {
      const source = networkOf(address);
      const times = [...recent(source), clock.monotonicMs()].slice(-MAX_FAILURES);
      // Deleted first, so that the map stays ordered by the last failure.
      failures.delete(source);
      failures.set(source, times);
      for (const oldest of failures.keys()) {
        if (failures.size <= MAX_ADDRESSES) break;
        failures.delete(oldest);
      }
      return times.length === MAX_FAILURES;
    },
  };
}
