import { DAY_MS } from "../duration.ts";

/** The epoch J2000, 2000-01-01T12:00Z, of the low-precision formulas of the Astronomical Almanac used below. */
const EPOCH_MS = 946_728_000_000;
const RADIANS = Math.PI / 180;

/**
 * Returns the elevation of the sun above the horizon at a wall-clock time in ms, degrees, correct to about 0.1°. Latitude
 * is positive north, longitude positive east, degrees.
 */
export function sunElevation(atMs: number, { latitude, longitude }: { latitude: number; longitude: number }): number {
  const days = (atMs - EPOCH_MS) / DAY_MS;
  const anomaly = (357.528 + 0.985_600_3 * days) * RADIANS;
  const path = (280.46 + 0.985_647_4 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS;
  const tilt = (23.439 - 0.000_000_4 * days) * RADIANS;
  const declination = Math.asin(Math.sin(tilt) * Math.sin(path));
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(path), Math.cos(path));
  const siderealHours = 18.697_374_558 + 24.065_709_824_419_08 * days;
  const hourAngle = (siderealHours * 15 + longitude) * RADIANS - ascension;
  const north = latitude * RADIANS;
  const sine = Math.sin(north) * Math.sin(declination) + Math.cos(north) * Math.cos(declination) * Math.cos(hourAngle);
  return Math.asin(sine) / RADIANS;
}
