/** The last minutes of one device's power, so that sums over several devices use values of the same moment. */
import { MINUTE_MS } from "../../domain/duration.ts";
import type { Reading } from "../../points/points.ts";

/** Sums use no values older than this. */
const KEPT_MS = 20 * MINUTE_MS;
/** Samples closer together than this are merged; house powers are not calculated more often. */
const MIN_INTERVAL_MS = 5_000;

/** The points that house powers are calculated from, W. */
const HOUSE_POWERS = ["battery.power", "inverter.power", "meter.power", "hem.load"] as const;
export type HousePowerPoint = (typeof HOUSE_POWERS)[number];

/** A device's power at a moment. */
export interface CountedPower {
  /** W. */
  readonly powerW: number;
  /** Monotonic ms at which it was measured. */
  readonly tickMs: number;
}

interface PowerSample {
  /** `null` if the device reported that the value is not available. */
  readonly powerW: number | null;
  readonly tickMs: number;
}

/** Keeps the samples of one power of one device for 20 minutes. */
export class PowerTrack {
  /** Oldest first. */
  readonly #samples: PowerSample[] = [];

  /** Adds a sample; ignores one that is older than the last. */
  note(sample: PowerSample): void {
    const all = this.#samples;
    const [before, last] = [all.at(-2), all.at(-1)];
    if (last !== undefined && sample.tickMs < last.tickMs) return;
    if (before !== undefined && sample.tickMs - before.tickMs < MIN_INTERVAL_MS) all.pop();
    all.push(sample);
    while (all[0] !== undefined && sample.tickMs - all[0].tickMs > KEPT_MS) all.shift();
  }

  /** Returns the newest sample at a moment; `null` if it was older than `countsMs` then, or not available. */
  at(tickMs: number, countsMs: number): CountedPower | null {
    const sample = this.#samples.findLast((each) => each.tickMs <= tickMs);
    if (sample === undefined || sample.powerW === null || tickMs - sample.tickMs > countsMs) return null;
    return { powerW: sample.powerW, tickMs: sample.tickMs };
  }
}

/** True if house powers are calculated from the reading's point. */
export function isHousePower(reading: Reading): reading is Extract<Reading, { readonly point: HousePowerPoint }> {
  return HOUSE_POWERS.some((point) => point === reading.point);
}
