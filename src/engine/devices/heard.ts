/** Puts the readings of an answer in the order in which they were measured: a cloud tells of minutes ago. */
import type { PointName, Reading } from "../../points/points.ts";

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
  /** When they were measured as their device tells, wall-clock ms; null: `atMs` is by the gateway's clock. */
  readonly toldMs: number | null;
  /** Monotonic ms of the same instant. */
  readonly tickMs: number;
  /** Monotonic ms: what happened before it may show in the readings, nothing that happened later does. */
  readonly sinceMs: number;
}

/** True: it is not older than the answer that it came with. */
export function isOfNow({ measuredAtMs, readTickMs }: Reading): boolean {
  return measuredAtMs === undefined && readTickMs === undefined;
}

/** Remembers when what a device told was measured, so that what it tells again is no news. */
export class MeasuredTimes {
  /** As the device told it, wall-clock ms, no later than it was heard; or else as it was read, monotonic ms. */
  readonly #measured = new Map<
    PointName,
    { readonly toldMs: number | undefined; readonly tickMs: number | undefined }
  >();
  /** What could not be told as of now the last time. */
  readonly #untold = new Set<PointName>();

  /** The readings by instant, oldest first, without those that were heard before. The last are those of now, if any. */
  sort(readings: readonly Reading[], times: AnswerTimes): readonly Heard[] {
    // What is told as of now in between makes what was measured before it news again.
    for (const reading of readings) if (isOfNow(reading)) this.#measured.delete(reading.point);
    const known = this.#note(readings);
    if (readings.every(isOfNow)) return [ofNow(readings, times)];
    const groups = new Map<number, Reading[]>();
    for (const reading of readings) {
      // Beside what was measured before, a value that still cannot be told is no news: it would date all of it anew.
      if (known.has(reading.point)) continue;
      const atMs = Math.min(reading.measuredAtMs ?? readAtMs(reading, times), times.nowMs);
      if (!this.#isNews(reading, atMs)) continue;
      const group = groups.get(atMs);
      if (group === undefined) groups.set(atMs, [reading]);
      else group.push(reading);
    }
    return [...groups.keys()]
      .sort((one, other) => one - other)
      .map((atMs) => ofThen(groups.get(atMs) ?? [], atMs, times));
  }

  #isNews(reading: Reading, atMs: number): boolean {
    if (isOfNow(reading)) return true;
    const { point, measuredAtMs, readTickMs: tickMs } = reading;
    const toldMs = measuredAtMs === undefined ? undefined : atMs;
    const before = this.#measured.get(point);
    this.#measured.set(point, { toldMs, tickMs });
    return before === undefined || before.toldMs !== toldMs || before.tickMs !== tickMs;
  }

  /** Answers the points that cannot be told now, and could not the last time. */
  #note(readings: readonly Reading[]): ReadonlySet<PointName> {
    const still = new Set<PointName>();
    for (const reading of readings) {
      const { point } = reading;
      if (reading.value !== null || !isOfNow(reading)) this.#untold.delete(point);
      else if (this.#untold.has(point)) still.add(point);
      else this.#untold.add(point);
    }
    return still;
  }
}

/** Of a reading that does not say when it was measured. */
function readAtMs({ readTickMs }: Reading, { nowMs, tickMs }: AnswerTimes): number {
  return readTickMs === undefined ? nowMs : Math.round(nowMs - (tickMs - readTickMs));
}

function ofNow(readings: readonly Reading[], { nowMs, tickMs, tookMs }: AnswerTimes): Heard {
  return { readings, atMs: nowMs, toldMs: null, tickMs, sinceMs: tickMs - tookMs };
}

function ofThen(readings: readonly Reading[], atMs: number, times: AnswerTimes): Heard {
  const ageMs = times.nowMs - atMs;
  const told = readings.map(({ measuredAtMs }) => measuredAtMs ?? null);
  const toldMs = told.reduce<number | null>(
    (one, other) => (one === null || other === null ? null : Math.max(one, other)),
    atMs,
  );
  return {
    readings,
    atMs,
    toldMs,
    tickMs: times.tickMs - ageMs,
    sinceMs: times.tickMs - Math.max(ageMs, times.tookMs),
  };
}
