import type { Clock } from "../../platform/ports/ports.ts";
import type { EnginePart } from "../engine-part.ts";

/** So many are noted before those are forgotten that nothing shows any more. */
const MANY = 64;
/** How often it is looked whether a time source has set the clock, ms. */
const LOOK_EVERY_MS = 10_000;

interface Early {
  /** Monotonic ms. */
  readonly tickMs: number;
  /** Not later than this, as the device told it, wall-clock ms. */
  readonly toldMs: number;
}

/**
 * What the gateway dated while nobody vouched for its clock. A box without a battery for its clock starts in the past, and
 * the next reading of a cloud may be a quarter of an hour away: once a time source has set the clock, all of it is dated
 * anew by the monotonic time that has passed since.
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
  note(atMs: number, tickMs: number, toldMs = Number.POSITIVE_INFINITY): void {
    if (this.#clock.quality() === "synced") return;
    if (this.#early.size >= MANY) this.#forget();
    this.#early.set(atMs, { tickMs, toldMs });
  }

  /** True: some of it can be dated now. */
  get isDue(): boolean {
    return this.#early.size > 0 && this.#clock.quality() === "synced";
  }

  /** When that was which was dated `atMs`, wall-clock ms: the same for what was not dated early. */
  anew(atMs: number): number {
    const early = this.#early.get(atMs);
    if (early === undefined) return atMs;
    return Math.min(early.toldMs, Math.round(this.#clock.nowMs() - (this.#clock.monotonicMs() - early.tickMs)));
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

/** Waits until the clock can be trusted and has dated anew by then what was dated early. */
export class ClockWatch implements EnginePart {
  readonly #clock: Pick<Clock, "quality" | "sleep">;
  readonly #dateAnew: () => void;

  constructor(clock: Pick<Clock, "quality" | "sleep">, dateAnew: () => void) {
    this.#clock = clock;
    this.#dateAnew = dateAnew;
  }

  async run(signal: AbortSignal): Promise<void> {
    try {
      while (this.#clock.quality() !== "synced") await this.#clock.sleep(LOOK_EVERY_MS, signal);
      this.#dateAnew();
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }
}
