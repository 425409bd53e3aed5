import type { ForecastPlane } from "hemgate/sdk";

/**
 * Wiring, mismatch, soiling, the inverter …: the usual 14 % of PVWatts (A. P. Dobos, "PVWatts Version 5 Manual", NREL
 * TP-6A20-62641, 2014, table 6).
 */
const LOSSES_FRACTION = 0.14;
/** Of modules in the open, °C; the usual figure of data sheets. */
const NOCT = 45;
/** Of crystalline silicon, % per K; the usual figure of data sheets. */
const TEMPERATURE_COEFFICIENT = -0.35;

/** Standard test conditions. */
const FULL_SUN = 1_000;
const REFERENCE_CELL = 25;
/** The conditions that the nominal operating cell temperature is measured under: W/m² and °C. */
const NOMINAL_SUN = 800;
const NOMINAL_AIR = 20;

/** What falls onto a plane, W/m², and the air, °C. */
export interface Weather {
  readonly irradiance: number;
  readonly temperature: number;
}

/**
 * Power of a plane, W. The power of the modules goes with the irradiance on the plane and falls with the temperature of
 * the cells (PVWatts, equation 8); the cells are warmer than the air in proportion to the irradiance, by as much as the
 * nominal operating cell temperature says (R. G. Ross, "Flat-Plate Photovoltaic Array Design Optimization", 14th IEEE
 * Photovoltaic Specialists Conference, 1980).
 */
export function pvPowerW(plane: ForecastPlane, { irradiance, temperature }: Weather): number {
  // Weather services derive it from what falls onto the level, and are below 0 around sunset now and then.
  const sun = Math.max(0, irradiance);
  const cell = temperature + (((plane.noct ?? NOCT) - NOMINAL_AIR) / NOMINAL_SUN) * sun;
  const perKelvin = (plane.temperatureCoefficient ?? TEMPERATURE_COEFFICIENT) / 100;
  const share = (sun / FULL_SUN) * (1 + perKelvin * (cell - REFERENCE_CELL));
  return Math.max(0, plane.peakKw * 1_000 * share * (1 - (plane.lossesFraction ?? LOSSES_FRACTION)));
}
