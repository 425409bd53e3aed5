import type { BatteryStatus, SimulatedDevice, SimulatedStates } from "hemgate/sdk";

type State = SimulatedStates["battery"];
type Battery = Extract<SimulatedDevice, { readonly kind: "battery" }>;

/** Of what goes in or out, this share is not lost. */
const EFFICIENCY = 0.95;
/** The last percent below full, and above the reserve, go slower. */
const TAPER_PERCENT = 4;
/** Less than this is nothing, kW. */
const LEAST_POWER = 0.02;
/** Hours of the rate plan that a battery in TIME_OF_USE is set to. */
const CHEAP = { fromHour: 0, toHour: 6 } as const;
const DEAR = { fromHour: 17, toHour: 21 } as const;

/** kW into the battery, for what is left over in the home (negative: missing) at an hour of the day. */
export function batteryPower({ state }: Battery, surplus: number, hour: number): number {
  const limited = Math.max(-state.maxPower, Math.min(state.maxPower, targetPower(state, surplus, hour)));
  const taken = limited >= 0 ? limited * roomShare(state) : limited * stockShare(state);
  return Math.abs(taken) < LEAST_POWER ? 0 : taken;
}

/** The battery after a power for some hours. */
export function batteryAfter(state: State, power: number, hours: number): State {
  if (power === 0) return state;
  const stored = power > 0 ? power * EFFICIENCY : power / EFFICIENCY;
  const level = state.batteryLevel + ((stored * hours) / state.batteryCapacity) * 100;
  const floor = Math.min(state.dischargeLimit, state.batteryLevel);
  return { ...state, batteryLevel: Math.max(floor, Math.min(100, level)) };
}

export function batteryStatusOf(power: number): BatteryStatus {
  if (power === 0) return "IDLE";
  return power > 0 ? "CHARGING" : "DISCHARGING";
}

function targetPower(state: State, surplus: number, hour: number): number {
  const setpoint = state.powerSetpoint ?? 0;
  switch (state.operationMode) {
    case "IDLE":
      return 0;
    case "IMPORT_FOCUS":
      return setpoint > 0 ? setpoint : state.maxPower;
    case "EXPORT_FOCUS":
      return setpoint < 0 ? setpoint : -state.maxPower;
    case "TIME_OF_USE":
      if (isBetween(hour, CHEAP)) return state.maxPower;
      return isBetween(hour, DEAR) ? Math.min(surplus, 0) : Math.max(surplus, 0);
    case "SELF_RELIANCE":
      return surplus;
    default:
      return state.operationMode satisfies never;
  }
}

function roomShare({ batteryLevel }: State): number {
  return Math.min(1, Math.max(0, (100 - batteryLevel) / TAPER_PERCENT));
}

function stockShare({ batteryLevel, dischargeLimit }: State): number {
  return Math.min(1, Math.max(0, (batteryLevel - dischargeLimit) / TAPER_PERCENT));
}

function isBetween(
  hour: number,
  { fromHour, toHour }: { readonly fromHour: number; readonly toHour: number },
): boolean {
  return hour >= fromHour && hour < toHour;
}
