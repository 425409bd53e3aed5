import type { EnergyPlanView } from "../../domain/energy/plan/plan-view.ts";

/** The plan by price of batteries and vehicles. */
export interface EnergyPlans {
  /** Returns the plan that is acted on, or why there is none; texts in English if the language has none. */
  view(language?: string): EnergyPlanView;
}
