import type { PowerDeliveryState } from "hemgate/sdk";

const FIRST_FAULT = 8;
const LAST_FAULT = 14;
/** Charged (3), waiting for sun, a card or a start (4 to 6), or for the house's battery (7); the limit is reached (20). */
const STATES: Readonly<Record<number, PowerDeliveryState>> = {
  0: "UNPLUGGED",
  1: "PLUGGED_IN:INITIALIZING",
  2: "PLUGGED_IN:CHARGING",
  3: "PLUGGED_IN:STOPPED",
  4: "PLUGGED_IN:STOPPED",
  5: "PLUGGED_IN:STOPPED",
  6: "PLUGGED_IN:STOPPED",
  7: "PLUGGED_IN:STOPPED",
  20: "PLUGGED_IN:STOPPED",
  21: "PLUGGED_IN:INITIALIZING",
  22: "PLUGGED_IN:INITIALIZING",
  23: "PLUGGED_IN:INITIALIZING",
  24: "PLUGGED_IN:STOPPED",
};

/** The state of a Victron charging station's `Status`; 8 to 14 are failed tests and trips. */
export function chargerState(status: number | null): PowerDeliveryState {
  if (status === null) return "UNKNOWN";
  if (status >= FIRST_FAULT && status <= LAST_FAULT) return "PLUGGED_IN:FAULT";
  return STATES[status] ?? "UNKNOWN";
}
