import { DeviceError } from "../../points/device-error.ts";
import { POINT_UNITS, type Reading } from "../../points/points.ts";

/** There are fewer points than that; an adapter that gives more floods. */
const MAX_READINGS = 500;

/** The readings that are what their point says: a finite number, a state, or null. The rest is counted. */
export function sift(readings: readonly Reading[]): { readonly valid: readonly Reading[]; readonly dropped: number } {
  if (!Array.isArray(readings)) throw new DeviceError("malformed", "the adapter answered no list of readings");
  const taken = readings.length > MAX_READINGS ? readings.slice(0, MAX_READINGS) : readings;
  if (taken === readings && readings.every(isSound)) return { valid: readings, dropped: 0 };
  const valid = taken.filter(isSound);
  return { valid, dropped: readings.length - valid.length };
}

/** Adapters of third parties are not trusted with the types. */
function isSound(reading: Reading | null | undefined): boolean {
  if (typeof reading !== "object" || reading === null) return false;
  const { point, value, measuredAtMs = 0, readTickMs = 0 } = reading;
  const unit = POINT_UNITS[point];
  if (unit === undefined || !Number.isFinite(measuredAtMs) || !Number.isFinite(readTickMs)) return false;
  if (value === null) return true;
  return unit === "" ? typeof value === "string" || typeof value === "boolean" : Number.isFinite(value);
}
