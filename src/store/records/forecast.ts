import type { PowerSeries } from "../../domain/statistics/power-series.ts";

/** What a source told of the panels, and what it had told of the hours that are over. */
export interface ForecastRecord {
  /** A hash of the source and of what the panels are: a forecast of others means nothing. */
  readonly panels: string;
  /** Wall-clock ms. */
  readonly fetchedAtMs: number;
  readonly power: PowerSeries;
  /** Null: the source does not tell. */
  readonly p10: PowerSeries | null;
  readonly p90: PowerSeries | null;
  /** Hours that are over, as each quarter hour was told last before it was over. */
  readonly past: PowerSeries;
}

/** What of a source's quota is spent. Times are wall-clock ms. */
export interface ForecastQuotaRecord {
  readonly sourceId: string;
  /** When requests were sent that still count, ascending. */
  readonly sentAtMs: readonly number[];
  /** Until when the source wants to be left alone. */
  readonly restUntilMs: number | null;
  /** What it refused for good, as long as the configuration is the same. */
  readonly refused: {
    /** A hash of all that it is asked with. */
    readonly setup: string;
    readonly status: number;
    readonly atMs: number;
  } | null;
}
