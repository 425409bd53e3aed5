/**
 * Samples from before a time source set the wall clock. A gateway without a battery for its clock starts in the past,
 * and its first samples would get a wrong day. They wait until the clock is set, and are then dated by the monotonic
 * time that has passed since.
 */
import { MINUTE_MS } from "../../domain/duration.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { TelemetrySample } from "../store.ts";

/** Without a time source, samples get the date of the unset clock after this time. */
const MAX_WAIT_MS = 15 * MINUTE_MS;
/** A quarter of an hour of 20 devices with one sample per second. */
const MAX_SAMPLES = 18_000;

interface UndatedSample {
  readonly sample: TelemetrySample;
  readonly monotonicMs: number;
}

export class UndatedSamples {
  readonly #clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">;
  readonly #startedMs: number;
  #samples: UndatedSample[] = [];

  constructor(clock: Pick<Clock, "nowMs" | "monotonicMs" | "quality">) {
    this.#clock = clock;
    this.#startedMs = clock.monotonicMs();
  }

  /** Adds a sample. Returns the samples that have a date now: this one and the waiting ones, or none. */
  take(sample: TelemetrySample): readonly TelemetrySample[] {
    if (this.#mayWait()) {
      this.#samples.push({ sample, monotonicMs: this.#clock.monotonicMs() });
      return [];
    }
    return this.#samples.length === 0 ? [sample] : [...this.release(), sample];
  }

  /** Returns the waiting samples if they need not wait any longer. */
  releaseDue(): readonly TelemetrySample[] {
    return this.#samples.length === 0 || this.#mayWait() ? [] : this.release();
  }

  /** Returns all waiting samples, dated as well as the clock can. */
  release(): readonly TelemetrySample[] {
    const dated = this.#dated();
    this.#samples = [];
    return dated;
  }

  /** Removes the waiting samples of a device. */
  forget(deviceId: string): void {
    this.#samples = this.#samples.filter(({ sample }) => sample.deviceId !== deviceId);
  }

  /** Returns the waiting samples of a device in [fromMs, toMs), by their current date. */
  waiting(deviceId: string, fromMs: number, toMs: number): readonly TelemetrySample[] {
    return this.#dated().filter((sample) => {
      return sample.deviceId === deviceId && sample.atMs >= fromMs && sample.atMs < toMs;
    });
  }

  #mayWait(): boolean {
    if (this.#clock.quality() === "synced" || this.#samples.length >= MAX_SAMPLES) return false;
    return this.#clock.monotonicMs() - this.#startedMs < MAX_WAIT_MS;
  }

  #dated(): readonly TelemetrySample[] {
    const nowMs = this.#clock.nowMs();
    const monotonicMs = this.#clock.monotonicMs();
    return this.#samples.map((undated) => ({
      ...undated.sample,
      atMs: Math.round(nowMs - (monotonicMs - undated.monotonicMs)),
    }));
  }
}
