import { backoffMs, type Random } from "hemgate/sdk";

const RANGE = { floorMs: 1_000, ceilingMs: 30_000 } as const;

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
    this.#failures += 1;
    this.#untilMs = nowMs + backoffMs(this.#failures, RANGE, this.#random);
    this.#cause = cause;
  }

  succeeded(): void {
    this.#failures = 0;
    this.#untilMs = Number.NEGATIVE_INFINITY;
    this.#cause = null;
  }
}
