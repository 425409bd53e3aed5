/** Checks a command before an action is created for it (rules S2.1 and S2.7, I4.2 to I4.5). */

import { controlOf, type KnownDevice } from "../assets/asset-seed.ts";
import { INCAPABLE } from "../assets/capability.ts";
import type { Hvac, TemperatureRange } from "../assets/hvac.ts";
import { type ProblemError, problem } from "../problem.ts";
import type { DesiredSetting, HvacTarget } from "./action.ts";
import { chargeRateFault } from "./charge-rate-limit.ts";
import { type ControlValue, controlsFor, isShown, type Target } from "./desired-setting.ts";

/** The scope that a client needs to command each kind of target. */
export const CONTROL_SCOPES = {
  battery: "battery:control:operation_mode",
  charger: "charger:control:charging",
  hvac: "hvac:control:mode",
  vehicle: "vehicle:control:charging",
} as const;

/** A command to check, with the target and the device behind it. */
export interface Request {
  readonly setting: DesiredSetting;
  readonly target: Target;
  readonly device: Pick<KnownDevice, "controls">;
  /**
   * True if another command for the same control is on its way or in force: then what the target shows now is no reason
   * to refuse this one.
   */
  readonly isControlBusy: boolean;
}

/** Returns the problem that the request is answered with; `null` if an action may be created. */
export function refusal(request: Request): ProblemError | null {
  return (
    missingScope(request) ??
    incapable(request) ??
    impossibleHold(request) ??
    impossibleLimit(request) ??
    alreadySo(request)
  );
}

function missingScope({ target }: Request): ProblemError | null {
  const scope = CONTROL_SCOPES[target.kind];
  return target.asset.scopes.includes(scope) ? null : problem("forbidden", `The scope ${scope} is not granted.`);
}

function incapable(request: Request): ProblemError | null {
  for (const control of controlsFor(request.setting, request.device)) {
    const refused = refusedControl(request, control);
    if (refused !== null) return refused;
  }
  return null;
}

function refusedControl({ setting, target, device }: Request, { point, value }: ControlValue): ProblemError | null {
  const control = controlOf(device, point);
  if (control === null) return notOffered(target, "this command");
  // Setpoints and charge rate limits are checked against their own ranges, below.
  const isJudgedApart = setting.targetType === "hvac" || "chargeRateLimit" in setting;
  if (typeof value === "number") return isJudgedApart ? null : outOfRange(target, value, control.range);
  // A mode must be listed; a switch that lists no values takes both.
  const isListed = control.values?.includes(value) ?? setting.targetType !== "battery";
  return isListed ? null : notOffered(target, String(value));
}

function outOfRange(target: Target, value: number, range?: { min: number; max: number }): ProblemError | null {
  const { min, max } = range ?? { min: 0, max: Number.POSITIVE_INFINITY };
  if (value >= min && value <= max) return null;
  return problem("bad-request", `The maximum current of this ${target.kind} is set from ${min} to ${max} A.`);
}

function notOffered({ kind }: Target, what: string): ProblemError {
  return problem("bad-request", `This ${kind} does not offer ${what}; its capabilities say what it can do.`);
}

function impossibleLimit({ setting, target, device }: Request): ProblemError | null {
  if (!("chargeRateLimit" in setting) || target.kind !== "charger") return null;
  const fault = chargeRateFault(setting, device, target.asset.capabilities.setChargeRateLimit ?? INCAPABLE);
  return fault === null ? null : problem("bad-request", fault);
}

function impossibleHold({ setting, target }: Request): ProblemError | null {
  if (setting.targetType !== "hvac" || target.kind !== "hvac") return null;
  const fault = holdFault(setting.target, target.asset.capabilities);
  return fault === null ? null : problem("bad-request", fault);
}

/** Returns why the unit cannot have this hold, as a sentence; `null` if it can. */
function holdFault(target: HvacTarget, capabilities: Hvac["capabilities"]): string | null {
  if (!capabilities.capableHoldTypes?.includes(target.holdType)) {
    return `This unit does not offer the hold type ${target.holdType}.`;
  }
  return setpointFault(target, { ...capabilities, capableModes: capabilities.capableModes ?? [] });
}

/**
 * Returns why the unit cannot have this mode and these setpoints (°C), as a sentence; `null` if it can, or if its modes
 * are not known.
 */
export function setpointFault(target: HvacTarget, capabilities: Hvac["capabilities"]): string | null {
  if (target.holdType === "SCHEDULED") return null;
  const { capableModes, heatSetpointRange, coolSetpointRange } = capabilities;
  if (capableModes?.includes(target.mode) === false) return `This unit does not offer the mode ${target.mode}.`;
  const heat = "heatSetpoint" in target ? target.heatSetpoint : null;
  const cool = "coolSetpoint" in target ? target.coolSetpoint : null;
  return (
    outside("heatSetpoint", heat, heatSetpointRange) ??
    outside("coolSetpoint", cool, coolSetpointRange) ??
    (heat === null || cool === null ? null : differenceFault(cool - heat, capabilities.setpointDifferenceRange))
  );
}

function outside(name: string, value: number | null, range: TemperatureRange | null): string | null {
  if (value === null || range === null || isWithin(value, range)) return null;
  return `${name} ${value} °C is outside the range of this unit: ${textOf(range)}.`;
}

function differenceFault(difference: number, range: TemperatureRange | null): string | null {
  if (difference <= 0) return "coolSetpoint must be above heatSetpoint.";
  if (range === null || isWithin(difference, range)) return null;
  return `coolSetpoint is ${difference} °C above heatSetpoint; this unit needs ${textOf(range)}.`;
}

function isWithin(value: number, { min, max }: TemperatureRange): boolean {
  return value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY);
}

function textOf({ min, max }: TemperatureRange): string {
  if (max === null) return `at least ${min ?? "any"} °C`;
  return min === null ? `at most ${max} °C` : `${min} to ${max} °C`;
}

/**
 * Refuses a command to a charger or vehicle that already shows the setting. A battery or HVAC unit gets an action that
 * ends as UNNECESSARY instead (rule I3.1).
 */
function alreadySo({ setting, target, isControlBusy }: Request): ProblemError | null {
  if (setting.targetType === "battery" || setting.targetType === "hvac") return null;
  if ((target.kind !== "charger" && target.kind !== "vehicle") || target.asset.isReachable === false) return null;
  const state = target.asset.chargeState.powerDeliveryState;
  const kind = "kind" in setting ? setting.kind : null;
  if (kind !== null && state === "UNPLUGGED") return problem("bad-request", `The ${target.kind} is not plugged in.`);
  if (kind === "START" && target.kind === "vehicle" && target.asset.chargeState.isFullyCharged === true) {
    return problem("bad-request", "The vehicle is fully charged.");
  }
  if (isControlBusy) return null;
  if (kind === "START" && state === "PLUGGED_IN:INITIALIZING") return problem("bad-request", "already started");
  if (!isShown(setting, target)) return null;
  // Clients match on these words (rule S2.1).
  if (kind === null) return problem("bad-request", "already at the current setting");
  return problem("bad-request", kind === "START" ? "already charging" : "already stopped");
}
