import { type Clock, DAY_MS, MINUTE_MS } from "hemgate/sdk";

/** Time sources correct a clock by less than this without a step. */
const STEP_MS = 30_000;
/** How long the wall clock is not trusted after a step, ms: within this time a time source corrects one that was set wrong. */
const DISTRUST_MS = DAY_MS;
/** How far apart two wall clocks may be that are both right, ms. */
const CLOCKS_DIFFER_MS = MINUTE_MS;

export interface Moment {
  /** Budget time, ms. */
  readonly atMs: number;
  /** Ms since 1970; null while the wall clock is not trusted. */
  readonly wallMs: number | null;
}

/** The moment at which the last run wrote the counts. */
export interface WrittenMoment extends Moment {
  /** Budget time until which the wall clock is not trusted because it stepped, ms. */
  readonly distrustedUntilMs: number;
}

/**
 * The time in which quotas are counted, ms. It runs while the gateway runs, and goes on over restarts. The time that the
 * gateway was off is added once the wall clock is right, if it was right too when the last run wrote the counts.
 */
export class BudgetClock {
  /** Budget time at the start of this run, ms. */
  readonly startMs: number;
  readonly #clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">;
  /** What budget time and the wall clock are ahead of the monotonic clock, ms. */
  #aheadMs: number;
  #wallAheadMs: number | null = null;
  /** When the last run wrote the counts, wall-clock ms, while the time that the gateway was off is not added. */
  #writtenWallMs: number | null;
  #distrustedUntilMs: number;

  constructor(clock: Pick<Clock, "monotonicMs" | "nowMs" | "quality">, written: WrittenMoment) {
    this.#clock = clock;
    // No start takes less than 1 ms, so what this run does is later than what is on disk.
    this.startMs = written.atMs + 1;
    this.#aheadMs = this.startMs - clock.monotonicMs();
    this.#writtenWallMs = written.wallMs;
    this.#distrustedUntilMs = written.distrustedUntilMs;
  }

  /** Budget time until which the wall clock is not trusted because it stepped, ms. */
  get distrustedUntilMs(): number {
    return this.#distrustedUntilMs;
  }

  now(): Moment {
    const tickMs = this.#clock.monotonicMs();
    const atMs = tickMs + this.#aheadMs;
    if (this.#clock.quality() !== "synced") return { atMs, wallMs: null };
    const wallMs = this.#clock.nowMs();
    const before = this.#wallAheadMs;
    this.#wallAheadMs = wallMs - tickMs;
    if (before !== null && Math.abs(this.#wallAheadMs - before) > STEP_MS) this.#distrustedUntilMs = atMs + DISTRUST_MS;
    return { atMs, wallMs: atMs < this.#distrustedUntilMs ? null : wallMs };
  }

  /** Adds the time that the gateway was off as soon as it is known. Returns what was added, ms. */
  catchUp(): number {
    const { atMs, wallMs } = this.now();
    if (wallMs === null || this.#writtenWallMs === null) return 0;
    const startWallMs = wallMs - (atMs - this.startMs);
    const offMs = Math.max(0, startWallMs - this.#writtenWallMs - CLOCKS_DIFFER_MS);
    this.#writtenWallMs = null;
    this.#aheadMs += offMs;
    return offMs;
  }
}
