import type { PointName, PointTypes, Reading } from "../../points/points.ts";

/** The last value of each point; null: the device cannot tell; absent: never read. */
export type PointValues = { [Name in PointName]?: PointTypes[Name] | null };

/** What is known of a device after a turn. */
export interface Snapshot {
  readonly values: Readonly<PointValues>;
  /** The points that were read in this turn. */
  readonly fresh: ReadonlySet<PointName>;
}

/** Takes a reading over into the values. */
export function keepReading<Name extends PointName>(
  values: PointValues,
  reading: { readonly point: Name; readonly value: PointTypes[Name] | null },
): void {
  values[reading.point] = reading.value;
}

/** The snapshot that readings alone make. */
export function snapshotOf(readings: readonly Reading[]): Snapshot {
  const values: PointValues = {};
  const fresh = new Set<PointName>();
  for (const reading of readings) {
    keepReading(values, reading);
    fresh.add(reading.point);
  }
  return { values, fresh };
}

/** True when one of the points was read in this turn. */
export function isFresh(snapshot: Snapshot, points: readonly PointName[]): boolean {
  return points.some((point) => snapshot.fresh.has(point));
}
