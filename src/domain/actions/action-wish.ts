/** What a wish asks of a target, and what shows that it is fulfilled. */
import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import type { AssetTypes } from "../assets/asset.ts";
import { controlOf, type KnownDevice } from "../assets/asset-seed.ts";
import type { Hvac } from "../assets/hvac.ts";
import type { Action, ActionTargetType, ActionWish, ChargeKind, HvacTarget } from "./action.ts";

/** A target with its kind. */
export type Target = {
  readonly [Kind in ActionTargetType]: { readonly kind: Kind; readonly asset: AssetTypes[Kind] };
}[ActionTargetType];

/** A value that a wish needs, the control that takes it, and the point whose reading shows it. */
export interface WishControl {
  readonly point: ControlPoint;
  readonly value: PointValue;
  readonly evidence: PointName;
}

/** Two settings of a control count as the same within this much, A or %: devices round what they are given. */
const SETTING_TOLERANCE = 0.1;
/** Two setpoints count as the same within this much, °C (rule S7.5). */
const SETPOINT_TOLERANCE_C = 0.5;

export function isSameSetting(a: PointValue | null, b: PointValue | null): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= SETTING_TOLERANCE;
  return a === b;
}

/** The wish that an action was made from. */
export function wishOf(action: Action): ActionWish {
  const { targetType } = action;
  if (targetType === "battery") return { targetType, operationMode: action.targetState.operationMode };
  if (targetType === "hvac") return { targetType, target: action.target };
  if ("kind" in action) return { targetType, kind: action.kind };
  const { targetState } = action;
  if (targetType === "charger" && "chargeRateLimit" in targetState) return { targetType, ...targetState };
  return { targetType, maxCurrent: targetState.maxCurrent };
}

export function isSameWish(a: ActionWish, b: ActionWish): boolean {
  const [ones, others] = [controlsFor(a), controlsFor(b)];
  return (
    limitOf(a) === limitOf(b) &&
    ones.length === others.length &&
    ones.every(({ point, value }, at) => point === others[at]?.point && value === others[at].value)
  );
}

/** A most power, and undefined for a wish that has no word on it: the same current may keep several. */
function limitOf(wish: ActionWish): number | null | undefined {
  return "chargeRateLimit" in wish ? wish.chargeRateLimit : undefined;
}

/**
 * How a wish is written, in this order, and seen. A unit that has no schedule of its own is always on hold, so there is
 * nothing to write for that: given the device, controls that it does not need are left out.
 */
export function controlsFor(wish: ActionWish, device?: Pick<KnownDevice, "controls">): readonly WishControl[] {
  if (wish.targetType === "battery") return [setting("battery.mode", wish.operationMode)];
  if (wish.targetType === "hvac") return holdControls(wish.target, device);
  const { targetType } = wish;
  if ("maxCurrent" in wish) return [setting(`${targetType}.maxCurrent`, wish.maxCurrent)];
  return [{ point: `${targetType}.enabled`, value: wish.kind === "START", evidence: `${targetType}.state` }];
}

function holdControls(target: HvacTarget, device: Pick<KnownDevice, "controls"> | undefined): readonly WishControl[] {
  const hold = setting("hvac.holdType", target.holdType);
  if (target.holdType === "SCHEDULED") return [hold];
  const hasHold = device === undefined || controlOf(device, "hvac.holdType") !== null;
  return [
    ...(hasHold ? [hold] : []),
    setting("hvac.mode", target.mode),
    ...("heatSetpoint" in target ? [setting("hvac.heatSetpoint", target.heatSetpoint)] : []),
    ...("coolSetpoint" in target ? [setting("hvac.coolSetpoint", target.coolSetpoint)] : []),
  ];
}

function setting(point: ControlPoint, value: PointValue): WishControl {
  return { point, value, evidence: point };
}

/** True when the target shows what the wish wants. */
export function isShown(wish: ActionWish, target: Target): boolean {
  if (wish.targetType === "battery") {
    return target.kind === "battery" && target.asset.config.operationMode === wish.operationMode;
  }
  if (wish.targetType === "hvac") return target.kind === "hvac" && showsHold(wish.target, target.asset);
  if (target.kind !== wish.targetType || (target.kind !== "charger" && target.kind !== "vehicle")) return false;
  if ("kind" in wish) return showsCharging(wish.kind, target.asset.chargeState.powerDeliveryState);
  return isSameSetting(target.asset.chargeState.maxCurrent, wish.maxCurrent);
}

/** True when the unit shows the target: mode, hold type and the setpoints that the target names. */
export function showsHold(target: HvacTarget, { thermostatState }: Pick<Hvac, "thermostatState">): boolean {
  const { mode, holdType, heatSetpoint, coolSetpoint } = thermostatState;
  if (target.holdType === "SCHEDULED") return holdType === "SCHEDULED";
  // A unit without hold types reports none.
  if (mode !== target.mode || holdType === "SCHEDULED") return false;
  return (
    (!("heatSetpoint" in target) || isSameSetpoint(heatSetpoint, target.heatSetpoint)) &&
    (!("coolSetpoint" in target) || isSameSetpoint(coolSetpoint, target.coolSetpoint))
  );
}

function isSameSetpoint(shown: number | null, wished: number): boolean {
  return shown !== null && Math.abs(shown - wished) <= SETPOINT_TOLERANCE_C;
}

/** START is shown by charging; STOP by a paused, full or empty plug (rule S2.1). A fault or no power shows neither. */
function showsCharging(kind: ChargeKind, state: AssetTypes["vehicle"]["chargeState"]["powerDeliveryState"]): boolean {
  if (kind === "START") return state === "PLUGGED_IN:CHARGING";
  return state === "PLUGGED_IN:STOPPED" || state === "PLUGGED_IN:COMPLETE" || state === "UNPLUGGED";
}

/** Why the wish cannot be sent now, in words; null when it can. */
export function unmetPrecondition(wish: ActionWish, target: Target): string | null {
  // A vehicle may not tell whether it is reachable; then it is tried.
  if (target.asset.isReachable === false) return "The device was not reachable.";
  return missingPlug(wish, target);
}

/** Why charging cannot start, in words: the plug is out. Null when it is in, or does not matter. */
export function missingPlug(wish: ActionWish, target: Target): string | null {
  if (!("kind" in wish) || wish.kind !== "START" || !("chargeState" in target.asset)) return null;
  const isUnplugged = target.kind !== "battery" && target.asset.chargeState.powerDeliveryState === "UNPLUGGED";
  return isUnplugged ? `The ${target.kind} was not plugged in.` : null;
}
