/**
 * Samples taken before a time source set the wall clock. A box without a battery for its clock starts in the past, and
 * its first readings would stand in a day that they do not belong to: they are held until the clock is set, and dated
 * by the monotonic time that has passed since.
 */
import type { Clock } from "../../platform/ports/ports.ts";
import type { TelemetrySample } from "../store.ts";

/** Where no time source ever answers, samples keep the dates they have after this long. */
const HOLD_MS = 15 * 60_000;
/** A quarter of an hour of 20 devices a second. */
const MAX_HELD = 18_000;

interface Held {
  readonly sample: TelemetrySample;
  readonly monotonicMs: number;
}

export class HeldSamples {
  readonly #clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly #startedMs: number;
  #held: Held[] = [];

  constructor(clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">) {
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
  }

  /** The samples that have their date now: this one, and those that waited. */
  take(sample: TelemetrySample): readonly TelemetrySample[] {
    if (this.#mayWait()) {
      this.#held.push({ sample, monotonicMs: this.#clock.monotonicMs() });
      return [];
    }
    return this.#held.length === 0 ? [sample] : [...this.release(), sample];
  }

  /** The samples that need not wait any longer. */
  releaseDue(): readonly TelemetrySample[] {
    return this.#held.length === 0 || this.#mayWait() ? [] : this.release();
  }

  /** All samples that wait, dated as well as the clock can. */
  release(): readonly TelemetrySample[] {
    const dated = this.#dated();
    this.#held = [];
    return dated;
  }

  /** Drops what waits of a device. */
  forget(deviceId: string): void {
    this.#held = this.#held.filter(({ sample }) => sample.deviceId !== deviceId);
  }

  /** Those of a device in [fromMs, toMs) by their date so far. */
  waiting(deviceId: string, fromMs: number, toMs: number): readonly TelemetrySample[] {
    return this.#dated().filter((sample) => {
      return sample.deviceId === deviceId && sample.atMs >= fromMs && sample.atMs < toMs;
    });
  }

  #mayWait(): boolean {
    if (this.#clock.quality() === "synced" || this.#held.length >= MAX_HELD) return false;
    return this.#clock.monotonicMs() - this.#startedMs < HOLD_MS;
  }

  #dated(): readonly TelemetrySample[] {
    const nowMs = this.#clock.nowMs();
    const monotonicMs = this.#clock.monotonicMs();
    return this.#held.map((held) => ({
      ...held.sample,
      atMs: Math.round(nowMs - (monotonicMs - held.monotonicMs)),
    }));
  }
}
