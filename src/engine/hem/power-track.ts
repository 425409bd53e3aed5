/** What a device told of one power lately: sums of several devices take each as it was at one moment. */
import type { Reading } from "../../points/points.ts";

/** No sum looks further back, ms. */
const KEPT_MS = 20 * 60_000;
/** Closer ones than that are one, ms: a house is reckoned no oftener. */
const APART_MS = 5_000;

/** The powers that a house is reckoned from, W. */
const HOUSE_POWERS = ["battery.power", "inverter.power", "meter.power", "hem.load"] as const;
export type HousePowerPoint = (typeof HOUSE_POWERS)[number];

/** A power that a sum may take. */
export interface CountedPower {
  /** W. */
  readonly powerW: number;
  /** Monotonic ms at which it was measured. */
  readonly tickMs: number;
}

interface ToldPower {
  /** Null: the device said that it cannot tell. */
  readonly powerW: number | null;
  readonly tickMs: number;
}

export class PowerTrack {
  /** Oldest first. */
  readonly #told: ToldPower[] = [];

  note(told: ToldPower): void {
    const all = this.#told;
    const [before, last] = [all.at(-2), all.at(-1)];
    if (last !== undefined && told.tickMs < last.tickMs) return;
    if (before !== undefined && told.tickMs - before.tickMs < APART_MS) all.pop();
    all.push(told);
    while (all[0] !== undefined && told.tickMs - all[0].tickMs > KEPT_MS) all.shift();
  }

  /** The newest that was told by a moment, unless it was older than `countsMs` then, or said nothing. */
  at(tickMs: number, countsMs: number): CountedPower | null {
    const told = this.#told.findLast((each) => each.tickMs <= tickMs);
    if (told === undefined || told.powerW === null || tickMs - told.tickMs > countsMs) return null;
    return { powerW: told.powerW, tickMs: told.tickMs };
  }
}

/** True: a reading of one of the powers that a house is reckoned from. */
export function isHousePower(reading: Reading): reading is Extract<Reading, { readonly point: HousePowerPoint }> {
  return HOUSE_POWERS.some((point) => point === reading.point);
}
