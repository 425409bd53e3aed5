/** What a schedule sees of its target. */
import type { ActionWish, HvacTarget } from "../actions/action.ts";
import { CONTROL_SCOPES } from "../actions/action-refusal.ts";
import { showsHold } from "../actions/action-wish.ts";
import type { Charger } from "../assets/charger.ts";
import type { Hvac } from "../assets/hvac.ts";
import type { Vehicle } from "../assets/vehicle.ts";
import type { ChargeSchedule, TemperatureSchedule } from "./schedule.ts";

/** What matters of a charger or vehicle. What the device cannot tell counts as false. */
export interface ChargeView {
  readonly isCharging: boolean;
  readonly needsCharge: boolean;
  readonly isPluggedIn: boolean;
}

/** A plug whose vehicle takes no power, or that needs a person: asking it to charge is no use. */
const USELESS: ReadonlySet<string> = new Set(["PLUGGED_IN:NO_POWER", "PLUGGED_IN:FAULT"]);

export function chargerView({ chargeState }: Pick<Charger, "chargeState">): ChargeView {
  const { isCharging, isPluggedIn, powerDeliveryState } = chargeState;
  return {
    isCharging: isCharging === true,
    needsCharge: !USELESS.has(powerDeliveryState),
    isPluggedIn: isPluggedIn === true,
  };
}

export function vehicleView({ chargeState }: Pick<Vehicle, "chargeState">): ChargeView {
  const { isCharging, isPluggedIn, isFullyCharged } = chargeState;
  return {
    isCharging: isCharging === true,
    needsCharge: isFullyCharged !== true,
    isPluggedIn: isPluggedIn === true,
  };
}

/** True when both starting and stopping can be commanded: a schedule needs both. */
export function canBeCharged({ capabilities, scopes }: Charger | Vehicle, kind: "charger" | "vehicle"): boolean {
  const { startCharging, stopCharging } = capabilities;
  return startCharging.isCapable && stopCharging.isCapable && scopes.includes(CONTROL_SCOPES[kind]);
}

/** True when the device is where a charge schedule applies (rules S7.2 and S7.5). */
export function appliesAt({ targetType, locationId }: ChargeSchedule, deviceAt: string | null): boolean {
  if (locationId !== null) return deviceAt === locationId;
  // A vehicle at no known location charges in public, which is nobody else's business.
  return targetType === "charger" || deviceAt !== null;
}

/** What a unit aims for; null while it cannot tell. A unit without a schedule of its own is always on hold. */
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

/** True when what a unit aims for is what is expected; setpoints within half a degree (rule S7.5). */
export function isAimedAt(expected: HvacTarget, current: HvacTarget | null): boolean {
  if (current === null) return false;
  const unknown = { mode: "UNKNOWN", heatSetpoint: null, coolSetpoint: null, lastUpdated: null } as const;
  return showsHold(expected, { thermostatState: { ...unknown, ...current } });
}

/** True when every kind of hold that the schedule names can be commanded. */
export function canBeHeld(schedule: TemperatureSchedule, { capabilities, scopes }: Hvac): boolean {
  if (!scopes.includes(CONTROL_SCOPES.hvac)) return false;
  const targets = [schedule.defaultTargetState, ...schedule.rules.map(({ targetState }) => targetState)];
  return targets.every(({ holdType }) =>
    holdType === "SCHEDULED" ? capabilities.setFollowSchedule.isCapable : capabilities.setPermanentHold.isCapable,
  );
}

/** The same target, whatever the order of its fields. */
export function isSameTarget(a: HvacTarget, b: HvacTarget): boolean {
  return isAimedExactly(a, b) && isAimedExactly(b, a);
}

function isAimedExactly(a: HvacTarget, b: HvacTarget): boolean {
  return Object.entries(a).every(([key, value]) => Reflect.get(b, key) === value);
}

/** The command that makes a target what is expected. */
export function chargeWish({ targetType }: ChargeSchedule, isChargingExpected: boolean): ActionWish {
  return { targetType, kind: isChargingExpected ? "START" : "STOP" };
}
