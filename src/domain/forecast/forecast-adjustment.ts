/** How the forecast of late compares with what was made. */

/** An hour of which both are known; mean powers, W. */
export interface ComparedHour {
  /** Start of the hour, wall-clock ms. */
  readonly atMs: number;
  readonly forecastW: number;
  readonly measuredW: number;
}

export interface ForecastAdjustment {
  /** What the forecast is multiplied with; null until enough is known. */
  readonly factor: number | null;
  /** Hours with light that were compared. */
  readonly hours: number;
  /** In these hours, kWh; null when there are none. */
  readonly forecastKwh: number | null;
  /** As `forecastKwh`. */
  readonly measuredKwh: number | null;
}

/** Fewer hours with light than this say more about one cloud than about the panels: two to three days. */
const LEAST_HOURS = 24;
/** A ratio beyond these is a mistake of the configuration or of a meter, not one of the forecast. */
const LEAST_FACTOR = 0.5;
const LARGEST_FACTOR = 2;
const WH_PER_KWH = 1_000;

/** The ratio of what was measured to what was forecast, over all hours in which panels were to give something. */
export function adjustmentOf(compared: readonly ComparedHour[]): ForecastAdjustment {
  const light = compared.filter(({ forecastW }) => forecastW > 0);
  if (light.length === 0) return { factor: null, hours: 0, forecastKwh: null, measuredKwh: null };
  const forecastKwh = light.reduce((sum, { forecastW }) => sum + forecastW, 0) / WH_PER_KWH;
  const measuredKwh = light.reduce((sum, { measuredW }) => sum + measuredW, 0) / WH_PER_KWH;
  const ratio = light.length < LEAST_HOURS ? null : measuredKwh / forecastKwh;
  const factor = ratio === null ? null : Math.min(LARGEST_FACTOR, Math.max(LEAST_FACTOR, ratio));
  return { factor, hours: light.length, forecastKwh, measuredKwh };
}
