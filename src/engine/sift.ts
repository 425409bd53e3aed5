import { POINT_UNITS, type Reading } from "../sdk/points.ts";

/** The readings that are what their point says: a finite number, a state, or null. The rest is counted. */
export function sift(readings: readonly Reading[]): { readonly valid: readonly Reading[]; readonly dropped: number } {
  if (readings.every(isSound)) return { valid: readings, dropped: 0 };
  const valid = readings.filter(isSound);
  return { valid, dropped: readings.length - valid.length };
}

/** Adapters of third parties are not trusted with the types. */
function isSound({ point, value }: Reading): boolean {
  const unit = POINT_UNITS[point];
  if (unit === undefined) return false;
  if (value === null) return true;
  return unit === "" ? typeof value === "string" || typeof value === "boolean" : Number.isFinite(value);
}
