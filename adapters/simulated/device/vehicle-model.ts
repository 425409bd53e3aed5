import type { SimulatedDevice, SimulatedStates, SimulatedSupply, VehiclePowerDeliveryState } from "hemgate/sdk";

type State = SimulatedStates["vehicle"];
type Of<Kind extends SimulatedDevice["kind"]> = Extract<SimulatedDevice, { readonly kind: Kind }>;

const KV_PER_PHASE = 0.23;
/** Of what the plug gives, this share ends in the battery. */
const EFFICIENCY = 0.92;
/** From this level on the battery takes less and less, down to a share of its power when full. */
const TAPER_FROM_PERCENT = 80;
const TAPER_TO_SHARE = 0.25;
const KWH_PER_KM = 0.17;

/** What the vehicle draws, kW. */
export function vehicleDraw({ state }: Of<"vehicle">, supply: SimulatedSupply | null): number {
  if (vehicleStateOf(state, supply) !== "PLUGGED_IN:CHARGING") return 0;
  return fullDraw(state, supply) * taperAt(state.batteryLevel);
}

/** Plug and power as the vehicle says it. */
export function vehicleStateOf(state: State, supply: SimulatedSupply | null): VehiclePowerDeliveryState {
  if (!state.isPluggedIn) return "UNPLUGGED";
  if (state.batteryLevel >= state.chargeLimit) return "PLUGGED_IN:COMPLETE";
  if (!state.isChargingEnabled) return "PLUGGED_IN:STOPPED";
  return supply?.isChargingEnabled === false ? "PLUGGED_IN:NO_POWER" : "PLUGGED_IN:CHARGING";
}

/** The vehicle after it drew a power for some hours; it stops exactly at its limit. */
export function chargedVehicle(state: State, power: number, hours: number): State {
  if (power <= 0) return state;
  const gained = ((power * EFFICIENCY * hours) / state.batteryCapacity) * 100;
  return {
    ...state,
    batteryLevel: Math.min(Math.max(state.chargeLimit, state.batteryLevel), state.batteryLevel + gained),
  };
}

/** Minutes until the limit; null when it does not charge. */
export function minutesToLimit(state: State, power: number): number | null {
  if (power <= 0) return null;
  const missing = ((state.chargeLimit - state.batteryLevel) / 100) * state.batteryCapacity;
  return Math.ceil((Math.max(0, missing) / (power * EFFICIENCY)) * 60);
}

/** How far the charge is good for, km. */
export function rangeOf({ batteryLevel, batteryCapacity }: State): number {
  return Math.round(((batteryLevel / 100) * batteryCapacity) / KWH_PER_KM);
}

function fullDraw(state: State, supply: SimulatedSupply | null): number {
  const current = Math.min(state.maxCurrent, supply?.maxCurrent ?? state.maxCurrent);
  const phases = Math.min(state.phases, supply?.phases ?? state.phases);
  return Math.min(state.maxPower, current * phases * KV_PER_PHASE);
}

function taperAt(level: number): number {
  if (level <= TAPER_FROM_PERCENT) return 1;
  const way = (level - TAPER_FROM_PERCENT) / (100 - TAPER_FROM_PERCENT);
  return 1 - way * (1 - TAPER_TO_SHARE);
}
