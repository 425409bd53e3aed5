import type { PointName } from "hemgate/sdk";
import type { CloudReading } from "../connector.ts";

/** All points of a device: the readings, and null for points without one. */
export function completed(points: readonly PointName[], readings: readonly CloudReading[]): readonly CloudReading[] {
  const known = new Map(readings.map((reading) => [reading.point, reading]));
  return points.map((point) => known.get(point) ?? { point, value: null });
}

/** When a reading was measured, of an ISO 8601 time with its offset; empty when it is unknown. */
export function isoMeasuredAt(isoText: string | null | undefined): Pick<CloudReading, "measuredAtMs"> {
  const measuredAtMs = Date.parse(isoText ?? "");
  return Number.isNaN(measuredAtMs) ? {} : { measuredAtMs };
}
