import type { PowerDeliveryState } from "hemgate/sdk";

/** States of a session, as the API module names them. In `Disabled` the connector does not look for a plug. */
const STATES: Readonly<Record<string, PowerDeliveryState>> = {
  Unplugged: "UNPLUGGED",
  Reserved: "UNPLUGGED",
  Preparing: "PLUGGED_IN:INITIALIZING",
  AuthRequired: "PLUGGED_IN:INITIALIZING",
  AuthTimeout: "PLUGGED_IN:STOPPED",
  WaitingForEnergy: "PLUGGED_IN:STOPPED",
  Charging: "PLUGGED_IN:CHARGING",
  ChargingPausedEV: "PLUGGED_IN:STOPPED",
  ChargingPausedEVSE: "PLUGGED_IN:STOPPED",
  Finished: "PLUGGED_IN:STOPPED",
  FinishedEV: "PLUGGED_IN:STOPPED",
  FinishedEVSE: "PLUGGED_IN:STOPPED",
};

/** The state of a plug; `powerW` is negative while the vehicle gives power back. */
export function sessionState(name: string, isFaulty: boolean, powerW: number): PowerDeliveryState {
  const state = STATES[name] ?? "UNKNOWN";
  if (isFaulty && state.startsWith("PLUGGED_IN")) return "PLUGGED_IN:FAULT";
  return state === "PLUGGED_IN:CHARGING" && powerW < 0 ? "PLUGGED_IN:DISCHARGING" : state;
}
