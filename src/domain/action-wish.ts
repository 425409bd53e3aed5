/** What a wish asks of a target, and what shows that it is fulfilled. */
import type { ControlPoint, PointName, PointValue } from "../sdk/points.ts";
import type { Action, ActionTargetType, ActionWish } from "./action.ts";
import type { AssetTypes } from "./asset.ts";
import type { Battery } from "./battery.ts";
import type { Charger } from "./charger.ts";

/** A target with its kind. */
export type Target = {
  readonly [Kind in ActionTargetType]: { readonly kind: Kind; readonly asset: AssetTypes[Kind] };
}[ActionTargetType];

/** The value that fulfils a wish, the control that takes it, and the point whose reading shows it. */
export interface WishControl {
  readonly point: ControlPoint;
  readonly value: PointValue;
  readonly evidence: PointName;
}

/** Two settings of a control count as the same within this much, A or %: devices round what they are given. */
const SETTING_TOLERANCE = 0.1;

export function isSameSetting(a: PointValue | null, b: PointValue | null): boolean {
  if (typeof a === "number" && typeof b === "number") return Math.abs(a - b) <= SETTING_TOLERANCE;
  return a === b;
}

/** The wish that an action was made from. */
export function wishOf(action: Action): ActionWish {
  if (action.targetType === "battery") {
    return { targetType: "battery", operationMode: action.targetState.operationMode };
  }
  if ("kind" in action) return { targetType: "charger", kind: action.kind };
  return { targetType: "charger", maxCurrent: action.targetState.maxCurrent };
}

export function isSameWish(a: ActionWish, b: ActionWish): boolean {
  const [one, other] = [controlFor(a), controlFor(b)];
  return a.targetType === b.targetType && one.point === other.point && one.value === other.value;
}

/** How a wish is written and seen. */
export function controlFor(wish: ActionWish): WishControl {
  if (wish.targetType === "battery") {
    return { point: "battery.mode", value: wish.operationMode, evidence: "battery.mode" };
  }
  if ("kind" in wish) return { point: "charger.enabled", value: wish.kind === "START", evidence: "charger.state" };
  return { point: "charger.maxCurrent", value: wish.maxCurrent, evidence: "charger.maxCurrent" };
}

/** True when the target shows what the wish wants. */
export function isShown(wish: ActionWish, target: Target): boolean {
  if (wish.targetType === "battery") return target.kind === "battery" && showsMode(wish.operationMode, target.asset);
  if (target.kind !== "charger") return false;
  if ("kind" in wish) return showsCharging(wish.kind, target.asset);
  return isSameSetting(target.asset.chargeState.maxCurrent, wish.maxCurrent);
}

function showsMode(mode: string, battery: Battery): boolean {
  return battery.config.operationMode === mode;
}

/** START is shown by charging; STOP by a paused or empty plug (supplement 2.1). A fault or no power shows neither. */
function showsCharging(kind: "START" | "STOP", charger: Charger): boolean {
  const state = charger.chargeState.powerDeliveryState;
  if (kind === "START") return state === "PLUGGED_IN:CHARGING";
  return state === "PLUGGED_IN:STOPPED" || state === "UNPLUGGED";
}

/** Why the wish cannot be sent now, in words; null when it can. */
export function unmetPrecondition(wish: ActionWish, target: Target): string | null {
  if (!target.asset.isReachable) return "The device was not reachable.";
  const isStart = wish.targetType === "charger" && "kind" in wish && wish.kind === "START";
  const isUnplugged = target.kind === "charger" && target.asset.chargeState.powerDeliveryState === "UNPLUGGED";
  return isStart && isUnplugged ? "The charger was not plugged in." : null;
}
