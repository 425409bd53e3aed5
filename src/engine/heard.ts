/** Puts the readings of an answer in the order in which they were measured: a cloud tells of minutes ago. */
import type { PointName, Reading } from "../sdk/points.ts";

/** When an answer was asked for and came: wall-clock ms and monotonic ms of its end, and how long it took, ms. */
export interface AnswerTimes {
  readonly nowMs: number;
  readonly tickMs: number;
  readonly tookMs: number;
}

/** Readings of one instant. */
export interface Heard {
  readonly readings: readonly Reading[];
  /** Wall-clock ms. */
  readonly atMs: number;
  /** Monotonic ms of the same instant. */
  readonly tickMs: number;
  /** Monotonic ms: what happened before it may show in the readings, nothing that happened later does. */
  readonly sinceMs: number;
}

/** Remembers when what a device told was measured, so that what it tells again is no news. */
export class MeasuredTimes {
  readonly #measuredMs = new Map<PointName, number>();
  /** What could not be told as of now the last time. */
  readonly #untold = new Set<PointName>();

  /** The readings by instant, oldest first, without those that were heard before. The last are those of now, if any. */
  sort(readings: readonly Reading[], times: AnswerTimes): readonly Heard[] {
    // What is told as of now in between makes what was measured before it news again.
    for (const { point, measuredAtMs } of readings) if (measuredAtMs === undefined) this.#measuredMs.delete(point);
    const known = this.#note(readings);
    if (readings.every(({ measuredAtMs }) => measuredAtMs === undefined)) return [ofNow(readings, times)];
    const groups = new Map<number, Reading[]>();
    for (const reading of readings) {
      // Beside what was measured before, a value that still cannot be told is no news: it would date all of it anew.
      if (known.has(reading.point)) continue;
      const atMs = Math.min(reading.measuredAtMs ?? times.nowMs, times.nowMs);
      if (reading.measuredAtMs !== undefined && this.#measuredMs.get(reading.point) === atMs) continue;
      if (reading.measuredAtMs !== undefined) this.#measuredMs.set(reading.point, atMs);
      const group = groups.get(atMs);
      if (group === undefined) groups.set(atMs, [reading]);
      else group.push(reading);
    }
    return [...groups.keys()]
      .sort((one, other) => one - other)
      .map((atMs) => ofThen(groups.get(atMs) ?? [], atMs, times));
  }

  /** Answers the points that cannot be told now, and could not the last time. */
  #note(readings: readonly Reading[]): ReadonlySet<PointName> {
    const still = new Set<PointName>();
    for (const { point, value, measuredAtMs } of readings) {
      if (value !== null || measuredAtMs !== undefined) this.#untold.delete(point);
      else if (this.#untold.has(point)) still.add(point);
      else this.#untold.add(point);
    }
    return still;
  }
}

function ofNow(readings: readonly Reading[], { nowMs, tickMs, tookMs }: AnswerTimes): Heard {
  return { readings, atMs: nowMs, tickMs, sinceMs: tickMs - tookMs };
}

function ofThen(readings: readonly Reading[], atMs: number, times: AnswerTimes): Heard {
  const ageMs = times.nowMs - atMs;
  return { readings, atMs, tickMs: times.tickMs - ageMs, sinceMs: times.tickMs - Math.max(ageMs, times.tookMs) };
}
