/** Which control values a desired setting needs, and which readings show that the target has it. */
import type { ControlPoint, PointName, PointValue } from "../../points/points.ts";
import type { AssetTypes } from "../assets/asset.ts";
import { controlOf, type KnownDevice } from "../assets/asset-seed.ts";
import type { Hvac } from "../assets/hvac.ts";
import type { Action, ActionTargetType, ChargeKind, DesiredSetting, HvacTarget } from "./action.ts";

/** An asset that can be commanded, with its kind. */
export type Target = {
  readonly [Kind in ActionTargetType]: { readonly kind: Kind; readonly asset: AssetTypes[Kind] };
}[ActionTargetType];

/** A value to write, the control that takes it, and the point whose reading shows that the device has it. */
export interface ControlValue {
  readonly point: ControlPoint;
  readonly value: PointValue;
  readonly evidence: PointName;
}

/** Two values of a control count as the same within this tolerance, in A or %, because devices round what they receive. */
const CONTROL_TOLERANCE = 0.1;
/** Two setpoints count as the same within this tolerance, °C (rule S7.5). */
const SETPOINT_TOLERANCE_C = 0.5;

/** Returns true if two values of a control are equal, numbers within 0.1 of the point's unit. */
export function isSameControlValue(a: PointValue | null, b: PointValue | null): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= CONTROL_TOLERANCE;
  return a === b;
}

/** Returns the setting that the action was created for. */
export function settingOf(action: Action): DesiredSetting {
  const { targetType } = action;
  if (targetType === "battery") return { targetType, operationMode: action.targetState.operationMode };
  if (targetType === "hvac") return { targetType, target: action.target };
  if ("kind" in action) return { targetType, kind: action.kind };
  const { targetState } = action;
  if (targetType === "charger" && "chargeRateLimit" in targetState) return { targetType, ...targetState };
  return { targetType, maxCurrent: targetState.maxCurrent };
}

/** Returns true if both settings need the same control values and the same charge rate limit. */
export function isSameDesiredSetting(a: DesiredSetting, b: DesiredSetting): boolean {
  const [ones, others] = [controlsFor(a), controlsFor(b)];
  return (
    limitOf(a) === limitOf(b) &&
    ones.length === others.length &&
    ones.every(({ point, value }, at) => point === others[at]?.point && value === others[at].value)
  );
}

/** Returns the charge rate limit, kW; `undefined` if the setting has none. Several limits may need the same current. */
function limitOf(setting: DesiredSetting): number | null | undefined {
  return "chargeRateLimit" in setting ? setting.chargeRateLimit : undefined;
}

/**
 * Returns the control values of a setting in the order in which they are written. An HVAC unit without a schedule is
 * always on hold: if `device` is given and has no hold type, none is written.
 */
export function controlsFor(setting: DesiredSetting, device?: Pick<KnownDevice, "controls">): readonly ControlValue[] {
  if (setting.targetType === "battery") return [controlValue("battery.mode", setting.operationMode)];
  if (setting.targetType === "hvac") return holdControls(setting.target, device);
  const { targetType } = setting;
  if ("maxCurrent" in setting) return [controlValue(`${targetType}.maxCurrent`, setting.maxCurrent)];
  return [{ point: `${targetType}.enabled`, value: setting.kind === "START", evidence: `${targetType}.state` }];
}

function holdControls(target: HvacTarget, device: Pick<KnownDevice, "controls"> | undefined): readonly ControlValue[] {
  const hold = controlValue("hvac.holdType", target.holdType);
  if (target.holdType === "SCHEDULED") return [hold];
  const hasHold = device === undefined || controlOf(device, "hvac.holdType") !== null;
  return [
    ...(hasHold ? [hold] : []),
    controlValue("hvac.mode", target.mode),
    ...("heatSetpoint" in target ? [controlValue("hvac.heatSetpoint", target.heatSetpoint)] : []),
    ...("coolSetpoint" in target ? [controlValue("hvac.coolSetpoint", target.coolSetpoint)] : []),
  ];
}

function controlValue(point: ControlPoint, value: PointValue): ControlValue {
  return { point, value, evidence: point };
}

/** Returns true if the target shows the setting. */
export function isShown(setting: DesiredSetting, target: Target): boolean {
  if (setting.targetType === "battery") {
    return target.kind === "battery" && target.asset.config.operationMode === setting.operationMode;
  }
  if (setting.targetType === "hvac") return target.kind === "hvac" && showsHold(setting.target, target.asset);
  if (target.kind !== setting.targetType || (target.kind !== "charger" && target.kind !== "vehicle")) return false;
  if ("kind" in setting) return showsCharging(setting.kind, target.asset.chargeState.powerDeliveryState);
  return isSameControlValue(target.asset.chargeState.maxCurrent, setting.maxCurrent);
}

/** Returns true if the HVAC unit shows the mode, the hold type and the setpoints that the target names. */
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

function isSameSetpoint(shown: number | null, requested: number): boolean {
  return shown !== null && Math.abs(shown - requested) <= SETPOINT_TOLERANCE_C;
}

/**
 * START is shown by charging; STOP by a stopped or complete charge, or by a vehicle that is not plugged in (rule S2.1). A
 * fault or a lack of power shows neither.
 */
function showsCharging(kind: ChargeKind, state: AssetTypes["vehicle"]["chargeState"]["powerDeliveryState"]): boolean {
  if (kind === "START") return state === "PLUGGED_IN:CHARGING";
  return state === "PLUGGED_IN:STOPPED" || state === "PLUGGED_IN:COMPLETE" || state === "UNPLUGGED";
}

/** Returns why the setting cannot be sent now, as a sentence; `null` if it can. */
export function unmetPrecondition(setting: DesiredSetting, target: Target): string | null {
  // A vehicle may not report whether it is reachable; then the command is sent.
  if (target.asset.isReachable === false) return "The device was not reachable.";
  return missingPlug(setting, target);
}

/** Returns that the target is not plugged in, as a sentence; `null` if it is, or if the setting does not need it. */
export function missingPlug(setting: DesiredSetting, target: Target): string | null {
  if (!("kind" in setting) || setting.kind !== "START" || !("chargeState" in target.asset)) return null;
  const isUnplugged = target.kind !== "battery" && target.asset.chargeState.powerDeliveryState === "UNPLUGGED";
  return isUnplugged ? `The ${target.kind} was not plugged in.` : null;
}
