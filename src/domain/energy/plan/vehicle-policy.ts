/** What the plan says of a vehicle's present slot, and what the meter says now. Powers in kW, prices per kWh. */
export interface VehicleSituation {
  readonly plannedKw: number;
  /** Import that is planned for the present slot. */
  readonly plannedImportKw: number;
  /** Value of a kWh in the vehicle in the present slot. */
  readonly lambda: number;
  readonly exportPrice: number;
  readonly chargeEfficiency: number;
  /** What would be fed in now if the vehicle did not charge. */
  readonly surplusKw: number;
  readonly maxKw: number;
}

/** Below this import a slot is planned to charge from surplus alone, kW. */
const FROM_SURPLUS_KW = 0.05;
/** Close calls go to charging: energy in the vehicle needs no forecast, per kWh. */
const SURPLUS_ADVANTAGE = 0.005;

/**
 * The power that a vehicle gets now: the planned one where the plan buys for it, and the real surplus where the plan
 * counted on surplus, or where a kWh in the vehicle is worth more than its feed-in.
 */
export function plannedVehicleKw(situation: VehicleSituation): number {
  const { plannedKw, plannedImportKw, lambda, exportPrice, chargeEfficiency, surplusKw, maxKw } = situation;
  const takesSurplus = exportPrice <= lambda * chargeEfficiency + SURPLUS_ADVANTAGE;
  const fromSurplus = takesSurplus ? Math.max(0, surplusKw) : 0;
  const asked = plannedImportKw > FROM_SURPLUS_KW ? Math.max(plannedKw, fromSurplus) : fromSurplus;
  return Math.min(maxKw, asked);
}
