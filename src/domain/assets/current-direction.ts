import type { PointName, Reading } from "../../points/points.ts";
import type { PointValues } from "./snapshot.ts";

const PHASES = ["l1", "l2", "l3"] as const;
type Phase = (typeof PHASES)[number];
type Current = `${"meter" | "charger"}.current.${Phase}`;

/** Returns true for the current of a meter or a charger on one phase. */
export function isCurrent(point: PointName): point is Current {
  return point.startsWith("meter.current.") || point.startsWith("charger.current.");
}

/**
 * Gives each current the sign of its power, because most devices report currents without a sign. A meter's current (A) is
 * negative while its phase exports, and `null` while the phase's power is unknown; at 0 W it has no sign. A charger's
 * current is negative only while the vehicle is discharged. `points` are all points of the device, `values` its values
 * before these readings.
 */
export function withCurrentDirections(
  readings: readonly Reading[],
  values: Readonly<PointValues>,
  points: readonly PointName[],
): readonly Reading[] {
  if (!readings.some(({ point }) => isCurrent(point))) return readings;
  return readings.map((reading) => {
    const { point, value } = reading;
    if (!isCurrent(point) || typeof value !== "number") return reading;
    const power = powerOfCurrent(point, points);
    if (power === null) return reading;
    const read = readings.find((each) => each.point === power);
    const watts = (read === undefined ? values[power] : read.value) ?? null;
    return Object.assign({}, reading, { value: directed(point, value, watts) });
  });
}

/** Returns the power whose sign a current gets; `null` if the device does not report it. Then the current stays as it is. */
export function powerOfCurrent(current: Current, points: readonly PointName[]): PointName | null {
  const [kind, , phase] = current.split(".") as ["meter" | "charger", "current", Phase];
  if (kind === "charger") return points.includes("charger.power") ? "charger.power" : null;
  if (points.includes(`meter.power.${phase}`)) return `meter.power.${phase}`;
  const isOnePhase = PHASES.every((each) => each === phase || !points.includes(`meter.current.${each}`));
  return isOnePhase && points.includes("meter.power") ? "meter.power" : null;
}

function directed(point: Current, amperes: number, watts: Reading["value"]): number | null {
  if (typeof watts !== "number") return point.startsWith("charger.") ? amperes : null;
  // Without the test for 0 the result would be -0.
  if (watts < 0) return amperes === 0 ? 0 : -Math.abs(amperes);
  return Math.abs(amperes);
}
