import type { PointName, PointTypes, Reading } from "../../points/points.ts";

/** The last value of each point: `null` if the device does not report it now, absent if the point was never read. */
export type PointValues = { [Name in PointName]?: PointTypes[Name] | null };

/** The values of a device after a poll. */
export interface Snapshot {
  readonly values: Readonly<PointValues>;
  /** The points that this poll read. */
  readonly fresh: ReadonlySet<PointName>;
}

/** Sets the value of the reading's point in `values`. */
export function keepReading<Name extends PointName>(
  values: PointValues,
  reading: { readonly point: Name; readonly value: PointTypes[Name] | null },
): void {
  values[reading.point] = reading.value;
}

/** Returns the snapshot of these readings, without earlier values. */
export function snapshotOf(readings: readonly Reading[]): Snapshot {
  const values: PointValues = {};
  const fresh = new Set<PointName>();
  for (const reading of readings) {
    keepReading(values, reading);
    fresh.add(reading.point);
  }
  return { values, fresh };
}

/** Returns true if the poll read at least one of the points. */
export function isFresh(snapshot: Snapshot, points: readonly PointName[]): boolean {
  return points.some((point) => snapshot.fresh.has(point));
}
