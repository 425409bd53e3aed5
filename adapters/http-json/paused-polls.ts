import { MINUTE_MS, restOfMissing } from "hemgate/sdk";

/** How long a request rests at most that the device never answered, ms. */
const LONGEST_REST_MS = 10 * MINUTE_MS;

interface Refusal {
  /** Monotonic ms of the first of them. */
  readonly sinceMs: number;
  readonly untilMs: number;
}

/** Which requests are not sent for a while, because the device seems not to have what they ask for. */
export class PausedPolls {
  readonly #known: Set<string>;
  readonly #refused = new Map<string, Refusal>();

  /** `known`: requests that were answered. */
  constructor(known: Iterable<string>) {
    this.#known = new Set(known);
  }

  isPaused(id: string, nowMs: number): boolean {
    return (this.#refused.get(id)?.untilMs ?? 0) > nowMs;
  }

  answered(id: string): void {
    this.#known.add(id);
    this.#refused.delete(id);
  }

  refused(id: string, nowMs: number): void {
    const sinceMs = this.#refused.get(id)?.sinceMs ?? nowMs;
    const restMs = restOfMissing(nowMs - sinceMs, this.#known.has(id), LONGEST_REST_MS);
    this.#refused.set(id, { sinceMs, untilMs: nowMs + restMs });
  }
}
