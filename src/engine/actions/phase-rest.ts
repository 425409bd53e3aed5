/** When a charger's phases may be switched, since its contactors must not do that under load, and what goes before its start. */
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";

export const PHASES_POINT = "charger.phases" satisfies ControlPoint;

const REST_A = 0.5;
const REST_W = 100;
const CURRENTS = ["charger.current.l1", "charger.current.l2", "charger.current.l3"] as const;

/** True if the last readings show that no current flows. What is not known counts as flowing. */
export function isChargerAtRest(values: Readonly<PointValues>): boolean {
  const state = values["charger.state"] ?? null;
  if (state === null || state === "UNKNOWN" || state === "PLUGGED_IN:CHARGING" || state === "PLUGGED_IN:DISCHARGING") {
    return false;
  }
  const isDrawing = CURRENTS.some((point) => Math.abs(values[point] ?? 0) >= REST_A);
  return !isDrawing && Math.abs(values["charger.power"] ?? 0) < REST_W;
}

/** Returns the points in the order of their writes: what starts gets its current first, since a slow second write would leave the old one. */
export function startLast(
  due: readonly (readonly [ControlPoint, { readonly target: PointValue | null }])[],
): readonly ControlPoint[] {
  const isStart = (point: ControlPoint, target: PointValue | null): boolean =>
    (point === "charger.enabled" || point === "vehicle.enabled") && target === true;
  const later = due.filter(([point, { target }]) => isStart(point, target));
  return [...due.filter((each) => !later.includes(each)), ...later].map(([point]) => point);
}
