import type { Clock } from "../../platform/ports/ports.ts";
import type { EnginePart } from "../engine-part.ts";

/** So many are noted before those are forgotten that nothing shows any more. */
const MANY = 64;
/** How often it is looked whether a time source has set the clock, ms. */
const LOOK_EVERY_MS = 10_000;

interface Early {
  /** Monotonic ms. */
  readonly tickMs: number;
  /** The latest possible time, as the device reported it, wall-clock ms. */
  readonly reportedMs: number;
}

/**
 * Remembers what the gateway dated before its clock was synced. A box without a battery for its clock starts in the past,
 * and the next reading of a cloud may be a quarter of an hour away: once a time source has set the clock, all of it gets a
 * new date by the monotonic time that has passed since.
 */
export class EarlyDates {
  readonly #clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  /** By the wall-clock ms that was shown. */
  readonly #early = new Map<number, Early>();
  readonly #shown: () => Iterable<number>;

  /** `shown`: the instants that are of interest still, wall-clock ms. */
  constructor(clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">, shown: () => Iterable<number>) {
    this.#clock = clock;
    this.#shown = shown;
  }

  /** What is dated `atMs`, wall-clock ms, is of `tickMs`, monotonic ms, by the gateway's clock. */
  note(atMs: number, tickMs: number, reportedMs = Number.POSITIVE_INFINITY): void {
    if (this.#clock.quality() === "synced") return;
    if (this.#early.size >= MANY) this.#forget();
    this.#early.set(atMs, { tickMs, reportedMs });
  }

  /** True: some of it can be dated now. */
  get isDue(): boolean {
    return this.#early.size > 0 && this.#clock.quality() === "synced";
  }

  /** Returns the corrected date of what was dated `atMs`, wall-clock ms; `atMs` itself if it was not dated early. */
  redated(atMs: number): number {
    const early = this.#early.get(atMs);
    if (early === undefined) return atMs;
    return Math.min(early.reportedMs, Math.round(this.#clock.nowMs() - (this.#clock.monotonicMs() - early.tickMs)));
  }

  /** All of it is dated. */
  clear(): void {
    this.#early.clear();
  }

  #forget(): void {
    const shown = new Set(this.#shown());
    for (const atMs of this.#early.keys()) if (!shown.has(atMs)) this.#early.delete(atMs);
  }
}

/** Waits until the clock is synced, then has the early dates corrected. */
export class ClockWatch implements EnginePart {
  readonly #clock: Pick<Clock, "quality" | "sleep">;
  readonly #redate: () => void;

  constructor(clock: Pick<Clock, "quality" | "sleep">, redate: () => void) {
    this.#clock = clock;
    this.#redate = redate;
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      while (this.#clock.quality() !== "synced") await this.#clock.sleep(LOOK_EVERY_MS, signal);
      this.#redate();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
