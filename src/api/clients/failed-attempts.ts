/** Who failed lately, so that secrets cannot be guessed by trying (rule S9.3). */
import { hash } from "node:crypto";
import { networkOf } from "../../platform/network/network-of.ts";
import type { Clock } from "../../platform/ports/ports.ts";

/** Of one client id from one address. */
const MAX_FAILURES = 10;
/** Of one address, whatever it tries: others behind the same router go on when one of them guesses. */
const MAX_FAILURES_OF_ADDRESS = 30;
const WINDOW_MS = 60_000;
/** Sources remembered; the ones that failed longest ago are forgotten first. */
const MAX_SOURCES = 1_000;

export interface Attempt {
  readonly address: string;
  readonly clientId: string;
}

export interface FailedAttempts {
  /** Milliseconds until such an attempt may be made again; 0 when it may now. */
  waitMs(attempt: Attempt): number;
  /** Whether nothing has failed from the address lately. */
  isClean(address: string): boolean;
  /** Notes a failure and tells whether such attempts are blocked from now on. */
  note(attempt: Attempt): boolean;
}

export function createFailedAttempts(clock: Pick<Clock, "monotonicMs">): FailedAttempts {
  const ofAddress = new Failures(clock, MAX_FAILURES_OF_ADDRESS, WINDOW_MS);
  const ofClient = new Failures(clock, MAX_FAILURES, WINDOW_MS);
  // An id can be as long as a form; its hash is not.
  const pair = (network: string, clientId: string): string => `${network} ${hash("sha256", clientId)}`;
  return {
    waitMs({ address, clientId }) {
      const network = networkOf(address);
      return Math.max(ofAddress.waitMs(network), ofClient.waitMs(pair(network, clientId)));
    },
    isClean: (address) => ofAddress.isClean(networkOf(address)),
    note({ address, clientId }) {
      const network = networkOf(address);
      const isFull = [ofAddress.note(network), ofClient.note(pair(network, clientId))];
      return isFull.includes(true);
    },
  };
}

/** Failures of each source within a window of time. */
export class Failures {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #most: number;
  readonly #windowMs: number;
  readonly #failures = new Map<string, readonly number[]>();

  constructor(clock: Pick<Clock, "monotonicMs">, most: number, windowMs: number) {
    this.#clock = clock;
    this.#most = most;
    this.#windowMs = windowMs;
  }

  waitMs(source: string): number {
    const times = this.#recent(source);
    const [oldest] = times.slice(-this.#most);
    return oldest === undefined || times.length < this.#most ? 0 : oldest + this.#windowMs - this.#clock.monotonicMs();
  }

  isClean(source: string): boolean {
    return this.#recent(source).length === 0;
  }

  /** True when the source is blocked from now on. */
  note(source: string): boolean {
    const times = [...this.#recent(source), this.#clock.monotonicMs()].slice(-this.#most);
    // Deleted first, so that the map stays ordered by the last failure.
    this.#failures.delete(source);
    this.#failures.set(source, times);
    for (const oldest of this.#failures.keys()) {
      if (this.#failures.size <= MAX_SOURCES) break;
      this.#failures.delete(oldest);
    }
    return times.length === this.#most;
  }

  #recent(source: string): readonly number[] {
    const since = this.#clock.monotonicMs() - this.#windowMs;
    return (this.#failures.get(source) ?? []).filter((atMs) => atMs > since);
  }
}
