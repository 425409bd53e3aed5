/** Compares the forecasts of the last days with the measured production. */

/** An hour with a forecast and a measurement; mean powers, W. */
export interface ComparedHour {
  /** Start of the hour, wall-clock ms. */
  readonly atMs: number;
  readonly forecastW: number;
  readonly measuredW: number;
}

/** The correction of the forecast by what was measured. */
export interface ForecastAdjustment {
  /** Factor for the forecast; `null` until enough hours were compared. */
  readonly factor: number | null;
  /** Number of hours with daylight that were compared. */
  readonly hours: number;
  /** Forecast energy of these hours, kWh; `null` if there are none. */
  readonly forecastKwh: number | null;
  /** Measured energy of these hours, kWh; `null` if there are none. */
  readonly measuredKwh: number | null;
}

/** Hours with daylight that are needed, two to three days: with fewer, a single cloud would decide the factor. */
const LEAST_HOURS = 24;
/** A ratio outside of these limits is an error of the configuration or of a meter, not of the forecast. */
const LEAST_FACTOR = 0.5;
const LARGEST_FACTOR = 2;
const WH_PER_KWH = 1_000;

/** Returns the ratio of measured to forecast energy over all hours with a forecast above 0, limited to 0.5 to 2. */
export function adjustmentOf(compared: readonly ComparedHour[]): ForecastAdjustment {
  const light = compared.filter(({ forecastW }) => forecastW > 0);
  if (light.length === 0) return { factor: null, hours: 0, forecastKwh: null, measuredKwh: null };
  const forecastKwh = light.reduce((sum, { forecastW }) => sum + forecastW, 0) / WH_PER_KWH;
  const measuredKwh = light.reduce((sum, { measuredW }) => sum + measuredW, 0) / WH_PER_KWH;
  const ratio = light.length < LEAST_HOURS ? null : measuredKwh / forecastKwh;
  const factor = ratio === null ? null : Math.min(LARGEST_FACTOR, Math.max(LEAST_FACTOR, ratio));
  return { factor, hours: light.length, forecastKwh, measuredKwh };
}
