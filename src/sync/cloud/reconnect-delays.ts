/** The delay between two connections to the cloud service. */
import { MINUTE_MS } from "../../domain/duration.ts";
import type { Random } from "../../platform/ports/ports.ts";

const FLOOR_MS = 1_000;
const CEILING_MS = 5 * MINUTE_MS;
const SPREAD = 3;

/**
 * Returns delays with decorrelated jitter: each is random between the minimum and three times the previous one. If many
 * gateways lose the cloud service at the same moment, they reconnect at different times.
 */
export class ReconnectDelays {
  readonly #random: Pick<Random, "next">;
  #lastMs = FLOOR_MS;

  constructor(random: Pick<Random, "next">) {
    this.#random = random;
  }

  /** Returns the next delay, ms. */
  nextMs(): number {
    const drawn = FLOOR_MS + (this.#lastMs * SPREAD - FLOOR_MS) * this.#random.next();
    this.#lastMs = Math.min(CEILING_MS, Math.max(FLOOR_MS, drawn));
    return this.#lastMs;
  }

  /** Returns the longest delay, ms, for a gateway that was refused. */
  longestMs(): number {
    this.#lastMs = CEILING_MS;
    return CEILING_MS;
  }

  /** Starts again with the shortest delay. */
  reset(): void {
    this.#lastMs = FLOOR_MS;
  }
}
