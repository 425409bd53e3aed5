import type { PowerSeries } from "../../domain/statistics/power-series.ts";

/** The latest forecast of the panels' power, and the earlier one for past hours. */
export interface ForecastRecord {
  /** Hash of the source and the panels: a forecast for others is not used. */
  readonly panels: string;
  /** Wall-clock ms. */
  readonly fetchedAtMs: number;
  readonly power: PowerSeries;
  /** `null` if the source does not provide it. */
  readonly p10: PowerSeries | null;
  readonly p90: PowerSeries | null;
  /** Past hours: the last forecast of each quarter hour before it was over. */
  readonly past: PowerSeries;
  /** Absent or `null` while the production is not far from the forecast. */
  readonly mismatch?: ForecastMismatchRecord | null;
}

/** The finding that the production is far from the forecast for weeks. */
export interface ForecastMismatchRecord {
  /** Wall-clock ms. */
  readonly sinceMs: number;
  readonly isDismissed: boolean;
  /** The adjustment of the forecast, and the energies of the last two weeks it is from. */
  readonly factor: number;
  readonly forecastKwh: number;
  readonly measuredKwh: number;
}

/** The hours of the last two weeks in which a limit held an inverter; there is one, with the key `site`. */
export interface CurtailedHoursRecord {
  /** Starts of the hours, wall-clock ms. */
  readonly startsMs: readonly number[];
}

/** What plans expected the house to use, without what is planned, in the quarter hours that are over and the next ones. */
export interface LoadForecastRecord {
  /** Whose house it is: the forecast for another one is not used. */
  readonly userId: string;
  /** Of each quarter hour, as the last plan before it expected. */
  readonly load: PowerSeries;
}

/** The used quota of a source. Times are wall-clock ms. */
export interface ForecastQuotaRecord {
  readonly sourceId: string;
  /** Times of the requests that still count, ascending. */
  readonly sentAtMs: readonly number[];
  /** The source requested a pause until this time; `null` for none. */
  readonly restUntilMs: number | null;
  /** A permanent refusal, for as long as the configuration is the same. */
  readonly refused: {
    /** Hash of the request parameters. */
    readonly setup: string;
    readonly status: number;
    readonly atMs: number;
  } | null;
}
