import type { Action, ActionWish } from "../../domain/actions/action.ts";
import type { Target } from "../../domain/actions/action-wish.ts";
import { instant } from "../../domain/fields.ts";

/** The pending action of a wish. */
export function newAction(id: string, { asset }: Target, wish: ActionWish, nowMs: number): Action {
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
  if (wish.targetType === "battery") {
    return { ...common, targetType: "battery", targetState: { operationMode: wish.operationMode } };
  }
  const { targetType } = wish;
  if (targetType === "hvac") return { ...common, targetType, target: wish.target };
  if ("kind" in wish) return { ...common, targetType, kind: wish.kind };
  const { maxCurrent } = wish;
  if ("chargeRateLimit" in wish) {
    return { ...common, targetType: "charger", targetState: { chargeRateLimit: wish.chargeRateLimit, maxCurrent } };
  }
  return { ...common, targetType, targetState: { maxCurrent } };
}
