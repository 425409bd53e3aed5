import type { MeasuredText } from "../../../domain/checks/measured-text.ts";
import type { ForecastAdjustment } from "../../../domain/forecast/forecast-adjustment.ts";
import type { SourceProblem } from "../../../domain/source-problem.ts";

/** The forecast mean power of the house's panels in a quarter hour, W. */
export interface PanelSlot {
  /** Wall-clock ms; slots are quarter hours of UTC. */
  readonly fromMs: number;
  /** Wall-clock ms; excluded. */
  readonly toMs: number;
  /** The forecast of the source, limited to the power of the inverters. */
  readonly powerW: number;
  /** The 10th percentile: exceeded in nine of ten cases; `null` if the source has none. */
  readonly p10W: number | null;
  /** The 90th percentile: exceeded in one of ten cases; `null` if the source has none. */
  readonly p90W: number | null;
  /** `powerW` times the recent ratio of production to forecast; `null` until that ratio is known. */
  readonly adjustedW: number | null;
}

/** The state of the forecast. Times are wall-clock ms, `null` if unknown. */
export interface ForecastState {
  /** `null` if no forecast is configured. */
  readonly source: { readonly id: string; readonly name: string; readonly credit: string } | null;
  readonly fetchedAtMs: number | null;
  readonly knownUntilMs: number | null;
  readonly nextFetchMs: number | null;
  /** What prevents an update; `null` if nothing does. */
  readonly problem: SourceProblem | null;
  readonly adjustment: ForecastAdjustment;
}

/** What is wrong with the forecast for weeks. */
export interface ForecastFinding {
  readonly id: "forecast-mismatch";
  /** What was measured and what to do, in English. */
  readonly text: string;
  readonly words: MeasuredText;
  readonly state: "OPEN" | "DISMISSED";
  /** Wall-clock ms. */
  readonly sinceMs: number;
}

/** The forecast of the house's panels, read from memory. */
export interface Forecasts {
  state(): ForecastState;
  /** Returns the known slots that begin in [fromMs, toMs), ascending; gaps are unknown. */
  between(fromMs: number, toMs: number): readonly PanelSlot[];
  /** Returns that the production was far from the forecast for two weeks; `null` if it was not, or is close again. */
  finding(): ForecastFinding | null;
  /** Marks the finding as seen, until the production is close to the forecast again. Throws `not-found`. */
  dismiss(): Promise<ForecastFinding>;
  /** Calls the listener after the slots changed. Disposing the result unsubscribes. */
  observe(listener: () => void): Disposable;
}
