import type { Action, DesiredSetting } from "../../domain/actions/action.ts";
import type { Target } from "../../domain/actions/desired-setting.ts";
import { instant } from "../../domain/fields.ts";

/** The pending action of a setting. */
export function newAction(id: string, { asset }: Target, setting: DesiredSetting, nowMs: number): Action {
  const at = instant(nowMs);
  const common = {
    id,
    userId: asset.userId,
    createdAt: at,
    updatedAt: at,
    completedAt: null,
    state: "PENDING" as const,
    targetId: asset.id,
    failureReason: null,
  };
  if (setting.targetType === "battery") {
    return { ...common, targetType: "battery", targetState: { operationMode: setting.operationMode } };
  }
  const { targetType } = setting;
  if (targetType === "hvac") return { ...common, targetType, target: setting.target };
  if ("kind" in setting) return { ...common, targetType, kind: setting.kind };
  const { maxCurrent } = setting;
  if ("chargeRateLimit" in setting) {
    return { ...common, targetType: "charger", targetState: { chargeRateLimit: setting.chargeRateLimit, maxCurrent } };
  }
  return { ...common, targetType, targetState: { maxCurrent } };
}
