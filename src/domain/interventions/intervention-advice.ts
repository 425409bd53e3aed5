import type { ControlPoint } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";
import type { Capability } from "../assets/capability.ts";

/** The problems of an asset that a remedy can solve, and the ids of the remedies. */
export interface Advice {
  readonly relink: string;
  readonly reconnect: string;
  readonly grantControl: string;
  readonly confirmControl: string;
  readonly checkInstallation: string;
  readonly otherController: string;
  /** The device has not answered for so long that somebody should check it. */
  readonly isSilent: boolean;
  /** The user did not grant the scope to control the device. */
  readonly isControlDenied: boolean;
  /** A check found a contradiction in the installation or the readings of the device. */
  readonly isInDoubt: boolean;
  /** Points that somebody else set although the gateway controlled them. */
  readonly takenOver: readonly ControlPoint[];
  /** Controls that are off until the owner confirms them. */
  readonly unconfirmed: readonly ControlPoint[];
}

/** The capabilities that control a device, with the points that each of them writes. */
const CONTROLS: Readonly<Record<AssetKind, Readonly<Record<string, readonly ControlPoint[]>>>> = {
  battery: {
    exportFocus: ["battery.mode"],
    importFocus: ["battery.mode"],
    timeOfUse: ["battery.mode"],
    selfReliance: ["battery.mode"],
    idle: ["battery.mode"],
  },
  charger: {
    startCharging: ["charger.enabled"],
    stopCharging: ["charger.enabled"],
    setMaxCurrent: ["charger.maxCurrent"],
    setChargeRateLimit: ["charger.maxCurrent"],
  },
  hvac: {
    setFollowSchedule: ["hvac.holdType"],
    setPermanentHold: ["hvac.mode", "hvac.heatSetpoint", "hvac.coolSetpoint", "hvac.holdType"],
  },
  inverter: {},
  meter: {},
  vehicle: {
    startCharging: ["vehicle.enabled"],
    stopCharging: ["vehicle.enabled"],
    smartCharging: ["vehicle.enabled"],
    setMaxCurrent: ["vehicle.maxCurrent"],
  },
};

/**
 * Adds the remedies that apply now to the capabilities and removes those of `advice` that no longer apply; other remedies
 * stay. Returns the same object if nothing changes.
 */
export function adviseCapabilities<Capabilities extends object>(
  kind: AssetKind,
  capabilities: Capabilities,
  advice: Advice,
): Capabilities {
  if (!hasProblem(advice) && !hasRemedies(capabilities)) return capabilities;
  const { reconnect, grantControl, confirmControl, checkInstallation, otherController } = advice;
  const own = [reconnect, grantControl, confirmControl, checkInstallation, otherController];
  // A battery that can only be read has no working capability, so its remedies are shown at all of them.
  const isReadOnly = !Object.values(capabilities).some((value) => isCapability(value) && value.isCapable);
  const known = { ...advice, isReadOnly };
  const changed: Record<string, Capability> = {};
  for (const [name, value] of Object.entries(capabilities)) {
    if (!isCapability(value)) continue;
    const others = value.interventionIds.filter((id) => !own.includes(id));
    // While the access to the account is lost, no other remedy helps.
    const ids = others.includes(advice.relink) ? others : [...others, ...remediesFor(kind, name, value, known)];
    if (ids.join() !== value.interventionIds.join()) changed[name] = { ...value, interventionIds: ids };
  }
  return Object.keys(changed).length === 0 ? capabilities : Object.assign({}, capabilities, changed);
}

function hasProblem({ isSilent, isControlDenied, isInDoubt, takenOver, unconfirmed }: Advice): boolean {
  return isSilent || isControlDenied || isInDoubt || takenOver.length > 0 || unconfirmed.length > 0;
}

/** Makes no list: it runs for each poll of each device. */
function hasRemedies(capabilities: object): boolean {
  for (const name of Object.keys(capabilities)) {
    const value: unknown = Reflect.get(capabilities, name);
    if (isCapability(value) && value.interventionIds.length > 0) return true;
  }
  return false;
}

function remediesFor(
  kind: AssetKind,
  name: string,
  { isCapable }: Capability,
  advice: Advice & { readonly isReadOnly: boolean },
): readonly string[] {
  const points = CONTROLS[kind][name];
  const isUnconfirmed = points?.some((point) => advice.unconfirmed.includes(point)) === true;
  const isTakenOver = points?.some((point) => advice.takenOver.includes(point)) === true;
  return [
    ...(advice.isSilent ? [advice.reconnect] : []),
    ...(points !== undefined && isCapable && advice.isControlDenied ? [advice.grantControl] : []),
    ...(!isCapable && isUnconfirmed ? [advice.confirmControl] : []),
    ...((isCapable || advice.isReadOnly) && advice.isInDoubt ? [advice.checkInstallation] : []),
    ...(isCapable && isTakenOver ? [advice.otherController] : []),
  ];
}

function isCapability(value: unknown): value is Capability {
  return typeof value === "object" && value !== null && "isCapable" in value && "interventionIds" in value;
}
