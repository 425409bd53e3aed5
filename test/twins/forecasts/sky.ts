/** A sky without clouds, for the twins of services that forecast. */
import { sunElevation } from "../../../src/domain/checks/sun-elevation.ts";

const RADIANS = Math.PI / 180;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const FULL_SUN = 1_000;

/** A plane as services put it: azimuth from south, west positive, degrees. */
export interface SkyPlane {
  readonly latitude: number;
  readonly longitude: number;
  readonly tilt: number;
  readonly southAzimuth: number;
}

/** What falls onto a plane at a moment, W/m². The sun is taken to go round evenly. */
export function irradianceAt(atMs: number, plane: SkyPlane): number {
  const elevation = sunElevation(atMs, plane) * RADIANS;
  if (elevation <= 0) return 0;
  const noonMs = DAY_MS / 2 - (plane.longitude / 360) * DAY_MS;
  const sunAzimuth = ((atMs - noonMs) / DAY_MS) * 360;
  const tilt = plane.tilt * RADIANS;
  const beam =
    Math.sin(elevation) * Math.cos(tilt) +
    Math.cos(elevation) * Math.sin(tilt) * Math.cos((sunAzimuth - plane.southAzimuth) * RADIANS);
  return FULL_SUN * Math.sin(elevation) * Math.max(0, beam);
}

/** The mean over a time, by the minute. */
export function meanIrradiance(fromMs: number, toMs: number, plane: SkyPlane): number {
  let sum = 0;
  let count = 0;
  for (let atMs = fromMs + MINUTE_MS / 2; atMs < toMs; atMs += MINUTE_MS) {
    sum += irradianceAt(atMs, plane);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

/** The minutes of [fromMs, toMs) at which the sun rises and sets; null when it does not. */
export function daylight(
  fromMs: number,
  toMs: number,
  place: { readonly latitude: number; readonly longitude: number },
): { readonly riseMs: number; readonly setMs: number } | null {
  let riseMs: number | null = null;
  let setMs: number | null = null;
  for (let atMs = fromMs; atMs < toMs; atMs += MINUTE_MS) {
    if (sunElevation(atMs, place) <= 0) continue;
    riseMs ??= atMs;
    setMs = atMs;
  }
  return riseMs === null || setMs === null ? null : { riseMs, setMs };
}
