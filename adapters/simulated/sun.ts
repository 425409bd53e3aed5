/** Where the sun stands, and what a cloudless sky gives to a roof. */

import { DAY_MS } from "hemgate/sdk";

/** Degrees; north and east positive. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

export interface Roof {
  /** Degrees from the horizontal. */
  readonly tilt: number;
  /** Degrees clockwise from north; 180 faces south. */
  readonly azimuth: number;
}

interface SunDirection {
  readonly up: number;
  readonly east: number;
  readonly north: number;
}

const RADIANS = Math.PI / 180;
/** Days from the Unix epoch to the epoch of the astronomical almanac's series, 2000-01-01 12:00 UT. */
const J2000_DAYS = 10_957.5;

/** Unit vector to the sun by the almanac's short series (good to a hundredth of a degree); `up` below zero is night. */
export function sunDirection(atMs: number, place: Place): SunDirection {
  const days = atMs / DAY_MS - J2000_DAYS;
  const anomaly = (357.528 + 0.9856003 * days) * RADIANS;
  const ecliptic = (280.46 + 0.9856474 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS;
  const obliquity = (23.439 - 0.0000004 * days) * RADIANS;
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const rightAscension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const siderealDegrees = 280.46061837 + 360.98564736629 * days;
  const hourAngle = (siderealDegrees + place.longitude) * RADIANS - rightAscension;
  const latitude = place.latitude * RADIANS;
  return {
    up: Math.sin(latitude) * Math.sin(declination) + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle),
    east: -Math.cos(declination) * Math.sin(hourAngle),
    north:
      Math.cos(latitude) * Math.sin(declination) - Math.sin(latitude) * Math.cos(declination) * Math.cos(hourAngle),
  };
}

/** What the roof gives under a cloudless sky, W per installed kW. */
export function clearSkyWPerKw(atMs: number, place: Place, roof: Roof): number {
  const sun = sunDirection(atMs, place);
  if (sun.up <= 0) return 0;
  // The air between: Kasten's and Young's relative air mass, and Meinel's fit of the direct beam, W/m².
  const elevation = Math.asin(sun.up) / RADIANS;
  const airMass = 1 / (sun.up + 0.50572 * (elevation + 6.07995) ** -1.6364);
  const beam = 1_353 * 0.7 ** (airMass ** 0.678);
  const tilt = roof.tilt * RADIANS;
  const azimuth = roof.azimuth * RADIANS;
  const facing =
    sun.up * Math.cos(tilt) + Math.sin(tilt) * (sun.north * Math.cos(azimuth) + sun.east * Math.sin(azimuth));
  const diffuse = 0.1 * beam * sun.up * ((1 + Math.cos(tilt)) / 2);
  // Heat, cables and dust cost about a tenth of the rating at 1,000 W/m².
  return 0.9 * (beam * Math.max(0, facing) + diffuse);
}
