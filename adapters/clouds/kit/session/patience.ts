import { backoffMs, type Clock } from "hemgate/sdk";

export interface PatienceSettings {
  /** After the first failure, ms; twice as long after each further one. */
  readonly firstMs: number;
  readonly longestMs: number;
}

/** How long something that fails is left alone. */
export class Patience {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #settings: PatienceSettings;
  #failures = 0;
  #failure: unknown = null;
  /** Monotonic ms. */
  #notBeforeMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "monotonicMs">, settings: PatienceSettings) {
    this.#clock = clock;
    this.#settings = settings;
  }

  /** How long until the next try, ms; 0: now. */
  get waitMs(): number {
    return Math.max(0, this.#notBeforeMs - this.#clock.monotonicMs());
  }

  /** Why the last try failed; null: none did since one succeeded. */
  get failure(): unknown {
    return this.#failure;
  }

  failed(failure: unknown = null): void {
    this.#failure = failure;
    const { firstMs, longestMs } = this.#settings;
    this.#failures += 1;
    const waitMs = backoffMs(this.#failures, { floorMs: firstMs, ceilingMs: longestMs }, null);
    this.#notBeforeMs = this.#clock.monotonicMs() + waitMs;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#failure = null;
    this.#notBeforeMs = Number.NEGATIVE_INFINITY;
  }
}
