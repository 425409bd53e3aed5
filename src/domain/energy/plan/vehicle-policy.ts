/** What the plan says of a vehicle's present slot, and what the meter says now. Powers in kW, prices per kWh. */
export interface VehicleSituation {
  readonly plannedKw: number;
  /** Surplus that the plan expected for the vehicle in the present slot. */
  readonly plannedSurplusKw: number;
  /** Value of a kWh in the vehicle in the present slot. */
  readonly lambda: number;
  readonly exportPrice: number;
  readonly chargeEfficiency: number;
  /** What would be fed in now if the vehicle did not charge. */
  readonly surplusKw: number;
  readonly maxKw: number;
}

/** A planned power that is above the expected surplus by less than this is from surplus alone, kW. */
const FROM_SURPLUS_KW = 0.05;
/** Close calls go to charging: energy in the vehicle needs no forecast, per kWh. */
const SURPLUS_ADVANTAGE = 0.005;

/**
 * The power that a vehicle gets now: the planned one where the plan buys for it or empties a battery into it, and the real surplus where the plan
 * counted on surplus, or where a kWh in the vehicle is worth more than its feed-in.
 */
export function plannedVehicleKw(situation: VehicleSituation): number {
  const { plannedKw, plannedSurplusKw, lambda, exportPrice, chargeEfficiency, surplusKw, maxKw } = situation;
  const takesSurplus = exportPrice <= lambda * chargeEfficiency + SURPLUS_ADVANTAGE;
  const fromSurplus = takesSurplus ? Math.max(0, surplusKw) : 0;
  const asked = plannedKw > plannedSurplusKw + FROM_SURPLUS_KW ? Math.max(plannedKw, fromSurplus) : fromSurplus;
  return Math.min(maxKw, asked);
}
