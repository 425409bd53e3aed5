import type { PowerDeliveryState, SimulatedDevice, SimulatedStates } from "hemgate/sdk";
import { vehicleStateOf } from "./vehicle-model.ts";

type State = SimulatedStates["charger"];
type Of<Kind extends SimulatedDevice["kind"]> = Extract<SimulatedDevice, { readonly kind: Kind }>;

const KV_PER_PHASE = 0.23;

/** What a vehicle that is not simulated draws from the charger, kW. */
export function chargerDraw(state: State): number {
  const isDrawing = state.isPluggedIn && state.isChargingEnabled && state.energyWanted > 0;
  return isDrawing ? state.maxCurrent * state.phases * KV_PER_PHASE : 0;
}

/** Plug and power as the charger says it. */
export function chargerStateOf(charger: Of<"charger">, vehicle: Of<"vehicle"> | null): PowerDeliveryState {
  const { state } = charger;
  if (vehicle === null && !state.isPluggedIn) return "UNPLUGGED";
  if (!state.isChargingEnabled) return "PLUGGED_IN:STOPPED";
  if (vehicle !== null) {
    const reported = vehicleStateOf(vehicle.state, charger.state);
    // A charger knows that nothing is drawn, not why.
    return reported === "PLUGGED_IN:CHARGING" ? reported : "PLUGGED_IN:NO_POWER";
  }
  return state.energyWanted > 0 ? "PLUGGED_IN:CHARGING" : "PLUGGED_IN:NO_POWER";
}

/** The charger after it gave a power for some hours. */
export function chargedCharger(state: State, power: number, hours: number): State {
  if (power <= 0) return state;
  const energy = power * hours;
  return {
    ...state,
    energyWanted: state.isPluggedIn ? Math.max(0, state.energyWanted - energy) : state.energyWanted,
    energySession: state.energySession + energy,
    energyTotal: state.energyTotal + energy,
  };
}
