/** Puts the readings of an answer in the order in which they were measured: a cloud reports them minutes later. */
import type { PointName, Reading } from "../../points/points.ts";

/** When an answer was asked for and came: wall-clock ms and monotonic ms of its end, and how long it took, ms. */
export interface AnswerTimes {
  readonly nowMs: number;
  readonly tickMs: number;
  readonly tookMs: number;
}

/** The readings of one instant. */
export interface ReadingGroup {
  readonly readings: readonly Reading[];
  /** Wall-clock ms. */
  readonly atMs: number;
  /** When the device says that they were measured, wall-clock ms; `null` if `atMs` is by the gateway's clock. */
  readonly reportedMs: number | null;
  /** Monotonic ms of the same instant. */
  readonly tickMs: number;
  /** Monotonic ms: what happened before it may show in the readings, nothing that happened later does. */
  readonly sinceMs: number;
}

/** Returns true if the reading is not older than its answer. */
export function isOfNow({ measuredAtMs, readTickMs }: Reading): boolean {
  return measuredAtMs === undefined && readTickMs === undefined;
}

/** Remembers when the readings of a device were measured, so that a repeated one is not taken as new. */
export class MeasuredTimes {
  /** As the device reported it, wall-clock ms, no later than its answer; or else as it was read, monotonic ms. */
  readonly #measured = new Map<
    PointName,
    { readonly reportedMs: number | undefined; readonly tickMs: number | undefined }
  >();
  /** The points whose current value was unknown the last time. */
  readonly #unknown = new Set<PointName>();

  /** Returns the new readings by instant, oldest first. The last are those of now, if any. */
  sort(readings: readonly Reading[], times: AnswerTimes): readonly ReadingGroup[] {
    // A current reading in between makes an earlier measurement new again.
    for (const reading of readings) if (isOfNow(reading)) this.#measured.delete(reading.point);
    const known = this.#note(readings);
    if (readings.every(isOfNow)) return [ofNow(readings, times)];
    const groups = new Map<number, Reading[]>();
    for (const reading of readings) {
      // Beside an earlier measurement, a value that is still unknown is not new: it would give all of them a new date.
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
    const reportedMs = measuredAtMs === undefined ? undefined : atMs;
    const before = this.#measured.get(point);
    this.#measured.set(point, { reportedMs, tickMs });
    return before === undefined || before.reportedMs !== reportedMs || before.tickMs !== tickMs;
  }

  /** Returns the points whose current value is unknown now and was unknown the last time. */
  #note(readings: readonly Reading[]): ReadonlySet<PointName> {
    const still = new Set<PointName>();
    for (const reading of readings) {
      const { point } = reading;
      if (reading.value !== null || !isOfNow(reading)) this.#unknown.delete(point);
      else if (this.#unknown.has(point)) still.add(point);
      else this.#unknown.add(point);
    }
    return still;
  }
}

/** Returns the time of a reading that does not say when it was measured, wall-clock ms. */
function readAtMs({ readTickMs }: Reading, { nowMs, tickMs }: AnswerTimes): number {
  return readTickMs === undefined ? nowMs : Math.round(nowMs - (tickMs - readTickMs));
}

function ofNow(readings: readonly Reading[], { nowMs, tickMs, tookMs }: AnswerTimes): ReadingGroup {
  return { readings, atMs: nowMs, reportedMs: null, tickMs, sinceMs: tickMs - tookMs };
}

function ofThen(readings: readonly Reading[], atMs: number, times: AnswerTimes): ReadingGroup {
  const ageMs = times.nowMs - atMs;
  const reported = readings.map(({ measuredAtMs }) => measuredAtMs ?? null);
  const reportedMs = reported.reduce<number | null>(
    (one, other) => (one === null || other === null ? null : Math.max(one, other)),
    atMs,
  );
  return {
    readings,
    atMs,
    reportedMs,
    tickMs: times.tickMs - ageMs,
    sinceMs: times.tickMs - Math.max(ageMs, times.tookMs),
  };
}
