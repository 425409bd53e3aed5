/** How long to wait between two connections. */
import type { Random } from "../../platform/ports/ports.ts";

const FLOOR_MS = 1_000;
const CEILING_MS = 5 * 60_000;
const SPREAD = 3;

/**
 * Pauses with decorrelated jitter: each is drawn between the floor and three times the one before. A fleet that lost its
 * cloud service in one moment comes back spread out.
 */
export class Pauses {
  readonly #random: Pick<Random, "next">;
  #lastMs = FLOOR_MS;

  constructor(random: Pick<Random, "next">) {
    this.#random = random;
  }

  /** The next pause, ms. */
  nextMs(): number {
    const drawn = FLOOR_MS + (this.#lastMs * SPREAD - FLOOR_MS) * this.#random.next();
    this.#lastMs = Math.min(CEILING_MS, Math.max(FLOOR_MS, drawn));
    return this.#lastMs;
  }

  /** The longest pause, for who is not wanted. */
  longestMs(): number {
    this.#lastMs = CEILING_MS;
    return CEILING_MS;
  }

  reset(): void {
    this.#lastMs = FLOOR_MS;
  }
}
