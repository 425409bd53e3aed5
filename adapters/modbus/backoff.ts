import type { Random } from "hemgate/sdk";

/** Pause after the first failure; it doubles with each further one. */
const BACKOFF_START_MS = 1_000;
const BACKOFF_CAP_MS = 30_000;
/** Doubling further than this changes nothing. */
const MAX_DOUBLINGS = 5;

/** Leaves something that failed alone for a while: longer each time, and never in step with others. */
export class Backoff {
  readonly #random: Pick<Random, "next">;
  #failures = 0;
  #untilMs = Number.NEGATIVE_INFINITY;
  #cause: unknown = null;

  constructor(random: Pick<Random, "next">) {
    this.#random = random;
  }

  get hasFailed(): boolean {
    return this.#failures > 0;
  }

  /** The last failure. */
  get cause(): unknown {
    return this.#cause;
  }

  /** How much longer to leave it alone, ms; 0 when it may be tried. */
  restMs(nowMs: number): number {
    return Math.max(0, this.#untilMs - nowMs);
  }

  failed(nowMs: number, cause: unknown): void {
    const fullMs = Math.min(BACKOFF_CAP_MS, BACKOFF_START_MS * 2 ** Math.min(this.#failures, MAX_DOUBLINGS));
    this.#failures += 1;
    this.#untilMs = nowMs + fullMs * (0.5 + this.#random.next() / 2);
    this.#cause = cause;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#untilMs = Number.NEGATIVE_INFINITY;
    this.#cause = null;
  }
}
