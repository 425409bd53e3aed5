/** What points of heat pumps mean: NIBE's parameter numbers, and myUplink's own categories where a model has other ones. */
import type { Point } from "./schemas.ts";

/** A sensor that is not there. */
const SENTINEL = -32_768;
/** No room is this warm, °C: a limit beyond it is not scaled as the value is, which happens. */
const WARMEST_C = 100;

interface Meaning {
  readonly ids: readonly string[];
  readonly category: string | null;
}

/** Room sensor of climate system 1 (BT50). */
export const ROOM: Meaning = { ids: ["40033"], category: "sh-indoorTemp" };
/** Room sensor's set point for heating of climate system 1. */
export const HEAT_SETPOINT: Meaning = { ids: ["47398"], category: "sh-indoorSpHeat" };
/** What the unit works on: off, hot water, heating, pool, cooling. */
export const PRIORITY: Meaning = { ids: ["49994"], category: null };

const HEATING = 30;
const COOLING = 60;

export function pointFor(points: readonly Point[], { ids, category }: Meaning): Point | null {
  const known = points.find(({ parameterId }) => ids.includes(parameterId));
  const categorized = points.find((point) => category !== null && point.smartHomeCategories.includes(category));
  return known ?? categorized ?? null;
}

/** Degrees that a point tells; null when it has none, or no sensor. */
export function celsiusIn(point: Point | null): number | null {
  return point === null || point.value === SENTINEL || point.parameterUnit !== "°C" ? null : point.value;
}

/** Whether it heats or cools the house at this moment: hot water and the pool are neither. */
export function isActive(priority: Point | null): boolean | null {
  const value = priority?.value ?? null;
  return value === null ? null : value === HEATING || value === COOLING;
}

/** What a writable setpoint takes, °C; null when it does not tell, or cannot be written. */
export function rangeOf(point: Point | null): { readonly min: number; readonly max: number } | null {
  if (point === null || point.writable !== true || point.parameterUnit !== "°C") return null;
  const { minValue, maxValue, scaleValue } = point;
  if (minValue === null || maxValue === null || minValue >= maxValue) return null;
  const factor = maxValue > WARMEST_C ? scaleValue : 1;
  return { min: Number((minValue * factor).toFixed(2)), max: Number((maxValue * factor).toFixed(2)) };
}
