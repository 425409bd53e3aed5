import { MINUTE_MS, type PointName } from "hemgate/sdk";

/** A value that came again, bit by bit the same, this often after something else of the device had moved, */
const FROZEN_SAMPLES = 10;
/** for this long, and */
const FROZEN_MS = 3 * MINUTE_MS;
/** in at least this share of all the times that it came, is frozen, */
const MOVED_SHARE = 0.25;
/** when it is at least this many smallest steps large: 12 W in whole watts may well stand still. */
const LEAST_STEPS = 500;
/** More decimals than any meter has. */
const MAX_DECIMALS = 6;
/** What a live measurement cannot hold still. States, limits, counters, charge levels and frequency can. */
const WATCHED = /\.(power|current|voltage)(\.l[123])?$/;

interface Watched {
  value: number;
  sinceMs: number;
  /** Times that the value came again. */
  repeats: number;
  /** Those with a move of another point since the time before. */
  moved: number;
  /** Of all points, when the value came last. */
  movesThen: number;
  decimals: number;
}

/**
 * Finds values that a bridge broadcasts again and again while the device behind it measures no more: bit-identical while
 * other measurements of the same device move. 0 is never frozen: nothing flows at night.
 */
export class FrozenWatch {
  readonly #watched = new Map<PointName, Watched>();
  #moves = 0;

  /** Takes a live value; answers whether it counts as frozen. */
  isFrozen(point: PointName, value: unknown, nowMs: number): boolean {
    if (!WATCHED.test(point) || typeof value !== "number") return false;
    const known = this.#watched.get(point);
    if (known === undefined || known.value !== value) {
      if (known !== undefined) this.#moves += 1;
      const decimals = Math.max(known?.decimals ?? 0, decimalsOf(value));
      this.#watched.set(point, { value, sinceMs: nowMs, repeats: 0, moved: 0, movesThen: this.#moves, decimals });
      return false;
    }
    known.repeats += 1;
    if (this.#moves > known.movesThen) known.moved += 1;
    known.movesThen = this.#moves;
    return isFrozen(known, nowMs);
  }
}

function isFrozen({ value, repeats, moved, sinceMs, decimals }: Watched, nowMs: number): boolean {
  return (
    Math.abs(value) * 10 ** decimals >= LEAST_STEPS &&
    moved >= FROZEN_SAMPLES &&
    nowMs - sinceMs >= FROZEN_MS &&
    moved >= repeats * MOVED_SHARE
  );
}

function decimalsOf(value: number): number {
  const [, fraction = ""] = String(value).split(".");
  return Math.min(fraction.length, MAX_DECIMALS);
}
