/** What is taken of a vendor's word at all: what no device of a house can mean is nothing, and is never asked of it. */
import { POINT_UNITS, type PointName } from "hemgate/sdk";
import type { CloudControl, CloudReading } from "../connector.ts";

interface Bounds {
  readonly min: number;
  readonly max: number;
}

const CURRENT: Bounds = { min: 5, max: 80 };
const SETPOINT: Bounds = { min: 0, max: 50 };
const PERCENT: Bounds = { min: 0, max: 100 };

/** A from the least that cars charge with to the largest charger of a house (IEC 61851-1); °C that rooms are held at. */
const BOUNDS: Readonly<Partial<Record<PointName, Bounds>>> = {
  "charger.maxCurrent": CURRENT,
  "vehicle.maxCurrent": CURRENT,
  "hvac.heatSetpoint": SETPOINT,
  "hvac.coolSetpoint": SETPOINT,
};
/** Where a Date ends, wall-clock ms. */
const LAST_MS = 8.64e15;

/**
 * Readings of the device's own points: null for an invalid figure, without an invalid time. What is unknown has
 * no time at all: it is so now, whenever it was known last.
 */
export function soundReadings(
  readings: readonly CloudReading[],
  points: readonly PointName[],
): readonly CloudReading[] {
  return readings.filter(({ point }) => points.includes(point)).map(sound);
}

function sound({ point, value, measuredAtMs, readTickMs }: CloudReading): CloudReading {
  const isTime = measuredAtMs !== undefined && Math.abs(measuredAtMs) <= LAST_MS;
  const isRight = value !== null && (typeof value !== "number" || isFigure(point, value));
  if (!isRight) return { point, value: null };
  return { point, value, ...(isTime && { measuredAtMs }), ...(readTickMs !== undefined && { readTickMs }) };
}

function isFigure(point: PointName, value: number): boolean {
  return Number.isFinite(value) && (POINT_UNITS[point] !== "%" || isWithin(value, PERCENT));
}

/** True: a percentage that is one. */
export function isPercent(value: number | null): value is number {
  return value !== null && isWithin(value, PERCENT);
}

/** Controls with ranges that a device of a house can have; one that leaves none is not offered. */
export function soundControls(controls: readonly CloudControl[]): readonly CloudControl[] {
  return controls.flatMap((control) => {
    const { range } = control;
    const bounds = BOUNDS[control.point];
    if (range === undefined || bounds === undefined) return [control];
    const narrowed = { min: Math.max(range.min, bounds.min), max: Math.min(range.max, bounds.max) };
    return narrowed.min <= narrowed.max ? [{ ...control, range: narrowed }] : [];
  });
}

function isWithin(value: number, { min, max }: Bounds): boolean {
  return value >= min && value <= max;
}
