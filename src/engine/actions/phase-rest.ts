/** When the phases of a charger may be switched: its contactors must not do that under load. */
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ControlPoint } from "../../points/points.ts";

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
