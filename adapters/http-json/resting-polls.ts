/** A request that a device refuses rests this share of the time for which it was refused, */
const REST_SHARE = 1 / 4;
/** at least so long, ms, */
const SHORTEST_REST_MS = 10_000;
/** and at most so long, ms: one that was answered before is there, and refused only while something is in the way. */
const LONGEST_REST_MS = { known: 60_000, unknown: 10 * 60_000 };

interface Refusal {
  /** Monotonic ms of the first of them. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Which requests are not sent for a while, because the device seems not to have what they ask for. */
export class RestingPolls {
  readonly #known: Set<string>;
  readonly #refused = new Map<string, Refusal>();

  /** `known`: requests that were answered. */
  constructor(known: Iterable<string>) {
    this.#known = new Set(known);
  }

  isResting(id: string, nowMs: number): boolean {
    return (this.#refused.get(id)?.untilMs ?? 0) > nowMs;
  }

  answered(id: string): void {
    this.#known.add(id);
    this.#refused.delete(id);
  }

  refused(id: string, nowMs: number): void {
    const sinceMs = this.#refused.get(id)?.sinceMs ?? nowMs;
    const longestMs = this.#known.has(id) ? LONGEST_REST_MS.known : LONGEST_REST_MS.unknown;
    const restMs = Math.min(longestMs, Math.max(SHORTEST_REST_MS, (nowMs - sinceMs) * REST_SHARE));
    this.#refused.set(id, { sinceMs, untilMs: nowMs + restMs });
  }
}
