/** Compares the forecasts of the last days with the measured production. */
import { DAY_MS, WEEK_MS } from "../duration.ts";

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

/** Hours of so many days are compared, ms. */
export const COMPARED_MS = 2 * WEEK_MS;
/** Hours with daylight that are needed, two to three days: with fewer, a single cloud would decide the factor. */
const LEAST_HOURS = 24;
/** A ratio outside of these limits is an error of the configuration or of a meter, not of the forecast. */
const LEAST_FACTOR = 0.5;
const LARGEST_FACTOR = 2;
const WH_PER_KWH = 1_000;
/** More than this times the forecast, or less than one part in so many, is no weather: a person should look at it. */
const FAR = 1.5;
/** Closer than this it is right again. */
const NEAR = 4 / 3;

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

/** How the production of the last two weeks compares with the forecast. */
export type ForecastMatch =
  /** Far above or far below the forecast in both weeks. */
  | "far"
  /** Close to it in the last week. */
  | "near"
  /** Neither, or not enough hours were compared. */
  | "unsure";

/** Compares the weeks before a wall-clock time, ms, one by one, so that a few days of snow or fog are not two weeks. */
export function matchOfTwoWeeks(compared: readonly ComparedHour[], nowMs: number): ForecastMatch {
  const weeks = [2, 1].map((ago) => {
    const fromMs = nowMs - ago * WEEK_MS;
    return ratioOf(compared.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + WEEK_MS));
  });
  const [before, last] = weeks;
  if (last === undefined || last === null) return "unsure";
  if (last < NEAR && last > 1 / NEAR) return "near";
  const isWhole = compared.some(({ atMs, forecastW }) => forecastW > 0 && atMs < nowMs - 2 * WEEK_MS + DAY_MS);
  if (before === undefined || before === null || !isWhole) return "unsure";
  return Math.min(before, last) > FAR || Math.max(before, last) < 1 / FAR ? "far" : "unsure";
}

/** Returns measured by forecast energy; `null` if too few hours were compared. */
function ratioOf(compared: readonly ComparedHour[]): number | null {
  const { hours, forecastKwh, measuredKwh } = adjustmentOf(compared);
  return hours < LEAST_HOURS || forecastKwh === null || measuredKwh === null ? null : measuredKwh / forecastKwh;
}
