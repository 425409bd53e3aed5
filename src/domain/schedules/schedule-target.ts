/** The state of a schedule's target, and whether the schedule can control it. */
import type { DesiredSetting, HvacTarget } from "../actions/action.ts";
import { CONTROL_SCOPES } from "../actions/action-refusal.ts";
import { showsHold } from "../actions/desired-setting.ts";
import type { Charger } from "../assets/charger.ts";
import type { Hvac } from "../assets/hvac.ts";
import type { Vehicle } from "../assets/vehicle.ts";
import type { ChargeSchedule, TemperatureSchedule } from "./schedule.ts";

/** The state of a charger or vehicle that a charge schedule needs. A value that is not known counts as false. */
export interface ChargeView {
  readonly isCharging: boolean;
  readonly needsCharge: boolean;
  readonly isPluggedIn: boolean;
}

/** The states in which a command to charge has no effect. */
const CANNOT_CHARGE: ReadonlySet<string> = new Set(["PLUGGED_IN:NO_POWER", "PLUGGED_IN:FAULT"]);

/** Returns the state of a charger for its schedule. */
export function chargerView({ chargeState }: Pick<Charger, "chargeState">): ChargeView {
  const { isCharging, isPluggedIn, powerDeliveryState } = chargeState;
  return {
    isCharging: isCharging === true,
    needsCharge: !CANNOT_CHARGE.has(powerDeliveryState),
    isPluggedIn: isPluggedIn === true,
  };
}

/** Returns the state of a vehicle for its schedule. */
export function vehicleView({ chargeState }: Pick<Vehicle, "chargeState">): ChargeView {
  const { isCharging, isPluggedIn, isFullyCharged } = chargeState;
  return {
    isCharging: isCharging === true,
    needsCharge: isFullyCharged !== true,
    isPluggedIn: isPluggedIn === true,
  };
}

/** Returns true if charging can be started and stopped; a schedule needs both. */
export function canBeCharged({ capabilities, scopes }: Charger | Vehicle, kind: "charger" | "vehicle"): boolean {
  const { startCharging, stopCharging } = capabilities;
  return startCharging.isCapable && stopCharging.isCapable && scopes.includes(CONTROL_SCOPES[kind]);
}

/** Returns true if a device at this location is where the schedule applies; `null` is no location (rules S7.2, S7.5). */
export function appliesAt({ targetType, locationId }: ChargeSchedule, deviceAt: string | null): boolean {
  if (locationId !== null) return deviceAt === locationId;
  // A vehicle at no known location charges at a public charger, where the schedule does not apply.
  return targetType === "charger" || deviceAt !== null;
}

/** Returns the present target of an HVAC unit; `null` if not known. A unit without a schedule is always on hold. */
export function hvacView({ thermostatState }: Pick<Hvac, "thermostatState">): HvacTarget | null {
  const { mode, holdType, heatSetpoint, coolSetpoint } = thermostatState;
  if (holdType === "SCHEDULED") return { holdType };
  const hold = { holdType: "PERMANENT" } as const;
  switch (mode) {
    case "OFF":
      return { ...hold, mode };
    case "COOL":
      return coolSetpoint === null ? null : { ...hold, mode, coolSetpoint };
    case "HEAT":
      return heatSetpoint === null ? null : { ...hold, mode, heatSetpoint };
    case "AUTO":
      return heatSetpoint === null || coolSetpoint === null ? null : { ...hold, mode, coolSetpoint, heatSetpoint };
    case "UNKNOWN":
      return null;
    default:
      return mode satisfies never;
  }
}

/** Returns true if the present target is the expected one, with setpoints within 0.5 °C (rule S7.5). */
export function isAimedAt(expected: HvacTarget, current: HvacTarget | null): boolean {
  if (current === null) return false;
  const unknown = { mode: "UNKNOWN", heatSetpoint: null, coolSetpoint: null, lastUpdated: null } as const;
  return showsHold(expected, { thermostatState: { ...unknown, ...current } });
}

/** Returns true if the unit supports, and the user granted, every hold type that the schedule uses. */
export function supportsHolds(schedule: TemperatureSchedule, { capabilities, scopes }: Hvac): boolean {
  if (!scopes.includes(CONTROL_SCOPES.hvac)) return false;
  const targets = [schedule.defaultTargetState, ...schedule.rules.map(({ targetState }) => targetState)];
  return targets.every(({ holdType }) =>
    holdType === "SCHEDULED" ? capabilities.setFollowSchedule.isCapable : capabilities.setPermanentHold.isCapable,
  );
}

/** Returns true if both targets have the same fields, in any order. */
export function isSameTarget(a: HvacTarget, b: HvacTarget): boolean {
  return isAimedExactly(a, b) && isAimedExactly(b, a);
}

function isAimedExactly(a: HvacTarget, b: HvacTarget): boolean {
  return Object.entries(a).every(([key, value]) => Reflect.get(b, key) === value);
}

/** Returns the setting that starts charging if it is expected, and stops it otherwise. */
export function chargeSetting({ targetType }: ChargeSchedule, isChargingExpected: boolean): DesiredSetting {
  return { targetType, kind: isChargingExpected ? "START" : "STOP" };
}
