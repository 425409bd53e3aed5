/** How a charger is to charge while the energy manager controls it. */
import { z } from "zod";

/**
 * `OFF`: never. `SURPLUS`: from what would be fed in. `MIN_SURPLUS`: with the least current, and more from surplus.
 * `PLANNED`: from surplus, and for its target in time. `FAST`: as fast as the limits allow.
 */
export const EnergyMode = z.enum(["OFF", "SURPLUS", "MIN_SURPLUS", "PLANNED", "FAST"]);
export type EnergyMode = z.infer<typeof EnergyMode>;

/** What the house battery may do while a car charges. */
export interface BatteryUse {
  /** The battery is not discharged while a car charges faster than from surplus. */
  readonly holdWhileFast: boolean;
  /** Below this state of charge, %, the battery is charged before cars get surplus. */
  readonly priorityBelow: number;
  /** Above this state of charge, %, the battery may support cars in surplus mode; 100: never. A strict floor. */
  readonly supportAbove: number;
}
