import type { ForecastAdjustment } from "../../domain/forecast/forecast-adjustment.ts";
import type { SourceProblem } from "../../domain/source-problem.ts";

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
  readonly problem: SourceProblem | null;
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
