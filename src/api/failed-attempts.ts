/** How often an address failed lately, so that secrets cannot be guessed by trying (supplement 9.3). */
import type { Clock } from "../platform/ports.ts";

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
      const times = recent(sourceOf(address));
      const [oldest] = times.slice(-MAX_FAILURES);
      return oldest === undefined || times.length < MAX_FAILURES ? 0 : oldest + WINDOW_MS - clock.monotonicMs();
    },
    note(address) {
      const source = sourceOf(address);
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

/** One machine on IPv6 owns a whole /64 and can change its address at will, so the network counts. */
function sourceOf(address: string): string {
  const plain = address.toLowerCase().replace(/^::ffff:(?=\d+\.)/, "");
  if (!plain.includes(":")) return plain;
  const [head = "", tail] = plain.split("::");
  const left = head.split(":").filter((group) => group !== "");
  const right = tail === undefined ? [] : tail.split(":").filter((group) => group !== "");
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => "0");
  return [...left, ...(tail === undefined ? [] : zeros), ...right].slice(0, 4).map(withoutZeros).join(":");
}

function withoutZeros(group: string): string {
  return group.replace(/^0+(?=.)/, "");
}
