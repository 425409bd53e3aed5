import { DAY_MS, HOUR_MS, type SimulatedDevice, type SimulatedStates } from "hemgate/sdk";

type State = SimulatedStates["hvac"];
type Unit = Extract<SimulatedDevice, { readonly kind: "hvac" }>;

const DAYS_PER_YEAR = 365.25;
/** A room loses this share of its difference to the outside in an hour. */
const LOSS_PER_HOUR = 0.04;
/** K that a kW moves a room by in an hour. */
const KELVIN_PER_KWH = 1.5;
/** It starts this far beyond a setpoint, and stops at it, K. */
const HYSTERESIS = 0.3;
/** The schedule in the unit itself. */
const DAY = { fromHour: 6, toHour: 22, heatSetpoint: 21, coolSetpoint: 25 } as const;
const NIGHT = { heatSetpoint: 18, coolSetpoint: 27 } as const;

/** What the unit does now: kW into it, and which way it moves the room. */
export interface HvacFlow {
  readonly power: number;
  readonly direction: -1 | 0 | 1;
}

/** The setpoints that hold now: those of the hold, or of the unit's own schedule. */
export function setpointsOf({ state }: Unit, atMs: number): Pick<State, "heatSetpoint" | "coolSetpoint"> {
  if (state.holdType === "PERMANENT") return state;
  const hour = (atMs % DAY_MS) / HOUR_MS;
  return hour >= DAY.fromHour && hour < DAY.toHour ? DAY : NIGHT;
}

export function hvacFlow(unit: Unit, atMs: number): HvacFlow {
  const { mode, currentTemperature: room, maxPower } = unit.state;
  const { heatSetpoint, coolSetpoint } = setpointsOf(unit, atMs);
  const cold = heatSetpoint - room;
  const warm = room - coolSetpoint;
  // Power follows the need near the setpoint, as an inverter-driven compressor's does.
  const share = (need: number): number => Math.min(1, Math.max(0, need / HYSTERESIS));
  if ((mode === "HEAT" || mode === "AUTO") && cold > 0) return { power: maxPower * share(cold), direction: 1 };
  if ((mode === "COOL" || mode === "AUTO") && warm > 0) return { power: maxPower * share(warm), direction: -1 };
  return { power: 0, direction: 0 };
}

/** The unit after some hours of the weather and of what it does itself. */
export function hvacAfter(unit: Unit, atMs: number, hours: number): State {
  const { state } = unit;
  const outside = state.outdoorTemperature ?? seasonTemperature(atMs);
  const { power, direction } = hvacFlow(unit, atMs);
  const towards = outside + (direction * power * KELVIN_PER_KWH) / LOSS_PER_HOUR;
  const kept = Math.exp(-LOSS_PER_HOUR * hours);
  const moved = towards + (state.currentTemperature - towards) * kept;
  return { ...state, currentTemperature: notBeyond(unit, atMs, moved, direction) };
}

/** A step may be long: the unit stops where its setpoint is. */
function notBeyond(unit: Unit, atMs: number, moved: number, direction: HvacFlow["direction"]): number {
  const { heatSetpoint, coolSetpoint } = setpointsOf(unit, atMs);
  if (direction === 1) return Math.min(moved, heatSetpoint);
  return direction === -1 ? Math.max(moved, coolSetpoint) : moved;
}

/** °C outside: the year's and the day's wave. */
function seasonTemperature(atMs: number): number {
  const year = Math.cos(((atMs / DAY_MS - 200) / DAYS_PER_YEAR) * 2 * Math.PI);
  const day = Math.cos((((atMs / DAY_MS) % 1) - 0.6) * 2 * Math.PI);
  return 10 + 9 * year + 4 * day;
}
