import type { ForecastPlane } from "../../../src/sdk/forecast-source.ts";

/** A south roof in Berlin. */
export function makePlane(change: Partial<ForecastPlane> = {}): ForecastPlane {
  return {
    latitude: 52.52,
    longitude: 13.405,
    tilt: 30,
    azimuth: 180,
    peakKw: 10,
    lossesFraction: null,
    noct: null,
    temperatureCoefficient: null,
    ...change,
  };
}
