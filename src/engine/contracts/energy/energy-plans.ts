import type { EnergyPlanView } from "../../../domain/energy/plan/plan-view.ts";
import type {
  EnergySavings,
  EnergySimulation,
  EnergySimulationRequest,
  SavingsResolution,
} from "../../../domain/energy/plan/savings-view.ts";

/** A stretch of time of which savings are asked for, in days or months. */
export interface SavingsQuery {
  readonly resolution: SavingsResolution;
  /** Wall-clock ms; `undefined`: 30 days before the end. */
  readonly fromMs?: number | undefined;
  /** Wall-clock ms; `undefined`: now. */
  readonly toMs?: number | undefined;
}

/** What a kWh costs and brings now, per kWh. */
export interface EnergyPriceNow {
  /** `null`: not known. */
  readonly importPrice: number | null;
  /** `null`: not known. */
  readonly exportPrice: number | null;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** The plan by price of batteries and vehicles, and what it saves. */
export interface EnergyPlans {
  /** Returns the plan that is acted on, or why there is none; texts in English if the language has none. */
  view(language?: string): EnergyPlanView;
  /** Returns the prices of this moment, whether there is a plan or not. */
  priceNow(): EnergyPriceNow;
  /**
   * Calculates what the house paid, and what it would have paid without the batteries and with the plain rule. Throws
   * `bad-request` for a time that cannot be, `too-many-requests`, and `service-unavailable` while the history cannot be read.
   */
  savings(query: SavingsQuery): Promise<EnergySavings>;
  /** Calculates what the last days would have cost with other settings. Throws as `savings` does. */
  simulate(request: EnergySimulationRequest): Promise<EnergySimulation>;
}
