import type { Clock } from "hemgate/sdk";

/** Time sources correct a clock by less than this without a step. */
const STEP_MS = 30_000;

/** A moment as budgets see it. */
export interface Moment {
  /** Monotonic ms. */
  readonly nowMs: number;
  /** What the wall clock is ahead of the monotonic one, ms; null while no time source confirms it. */
  readonly wallOffsetMs: number | null;
  /** When the wall clock was last seen to step, monotonic ms; minus infinity: never. */
  readonly steppedAtMs: number;
}

/** Looks at the wall clock and remembers its steps: after one nobody knows which midnight was the right one. */
export class SteadyWall {
  readonly #clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  #offsetMs: number | null = null;
  #steppedAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">) {
    this.#clock = clock;
  }

  moment(): Moment {
    const nowMs = this.#clock.monotonicMs();
    if (this.#clock.quality() !== "synced") return { nowMs, wallOffsetMs: null, steppedAtMs: this.#steppedAtMs };
    const offsetMs = this.#clock.nowMs() - nowMs;
    if (this.#offsetMs !== null && Math.abs(offsetMs - this.#offsetMs) > STEP_MS) this.#steppedAtMs = nowMs;
    this.#offsetMs = offsetMs;
    return { nowMs, wallOffsetMs: offsetMs, steppedAtMs: this.#steppedAtMs };
  }

  /** A step that an earlier run saw. */
  remember(steppedAtMs: number): void {
    this.#steppedAtMs = Math.max(this.#steppedAtMs, steppedAtMs);
  }
}
