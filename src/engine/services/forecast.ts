import type { ForecastAdjustment } from "../../domain/forecast-adjustment.ts";
import type { FORECAST_PROBLEMS } from "../../domain/forecast-view.ts";

/** Why nothing new was fetched. */
export type ForecastProblemKind = (typeof FORECAST_PROBLEMS)[number];

export interface ForecastProblem {
  readonly kind: ForecastProblemKind;
  /** In English; names no key and no place. */
  readonly text: string;
  /** Wall-clock ms. */
  readonly sinceMs: number;
}

/** What the panels of the house give in a slot: means, W. */
export interface PanelSlot {
  /** Wall-clock ms; slots are quarter hours of UTC. */
  readonly fromMs: number;
  /** Wall-clock ms; excluded. */
  readonly toMs: number;
  /** As the source has it, at most what the inverters can. */
  readonly powerW: number;
  /** What is exceeded in nine of ten cases; null when the source does not tell. */
  readonly p10W: number | null;
  /** What is exceeded in one of ten cases; null when the source does not tell. */
  readonly p90W: number | null;
  /** `powerW` times what production lately was of its forecast; null until that is known. */
  readonly adjustedW: number | null;
}

/** How the forecast stands. Times are wall-clock ms. */
export interface ForecastState {
  /** Null: none is configured. */
  readonly source: { readonly id: string; readonly name: string; readonly credit: string } | null;
  readonly fetchedAtMs: number | null;
  readonly knownUntilMs: number | null;
  readonly nextFetchMs: number | null;
  /** Null: nothing keeps it from being renewed. */
  readonly problem: ForecastProblem | null;
  readonly adjustment: ForecastAdjustment;
}

/** What the panels of the house will give. Reads are from memory. */
export interface Forecasts {
  state(): ForecastState;
  /** The known slots that begin in [fromMs, toMs), ascending; gaps are unknown. */
  between(fromMs: number, toMs: number): readonly PanelSlot[];
  /** Calls the listener when the slots changed. Disposing ends it. */
  observe(listener: () => void): Disposable;
}
