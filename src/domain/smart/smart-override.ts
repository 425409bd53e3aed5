import { z } from "zod";
import { type Action, ChargeTargetType } from "../actions/action.ts";
import type { Vehicle } from "../assets/vehicle.ts";
import { Instant, NullableInstant } from "../fields.ts";

/** "Charge now" against schedule and smart charging, until charging stops or it is ended (rule I2.13). */
export const SmartOverride = z
  .object({
    createdAt: Instant,
    endedAt: NullableInstant.meta({ description: "Null while active." }),
    targetType: ChargeTargetType,
    targetId: z.string(),
    vendorActionId: z.uuid().nullable().meta({ description: "The action that started charging; null when it was." }),
    userId: z.string(),
    vendor: z.string(),
  })
  .meta({ id: "SmartOverride" });
export type SmartOverride = z.infer<typeof SmartOverride>;

/** As it stands inside a status: the status says whose it is. */
export const EmbeddedSmartOverride = SmartOverride.omit({ userId: true, vendor: true }).meta({
  id: "EmbeddedSmartOverride",
});
export type EmbeddedSmartOverride = z.infer<typeof EmbeddedSmartOverride>;

/** How far an override is: charging is asked for, has begun, or the override is over. */
export type OverrideProgress = "starting" | "begun" | "over";

/** What an override's end depends on. */
export interface OverrideFacts {
  /** True once charging was seen since it was made. */
  readonly hasBegun: boolean;
  /** What the target shows; null when it is gone. */
  readonly powerState: Vehicle["chargeState"]["powerDeliveryState"] | null;
  /** Of the action that starts charging; null when there is none any more. */
  readonly startState: Action["state"] | null;
}

/**
 * Lasts until charging stops for any reason, or until its start action ends without charging. A state that cannot be
 * told ends nothing.
 */
export function overrideProgress({ hasBegun, powerState, startState }: OverrideFacts): OverrideProgress {
  if (powerState === null || startState === "FAILED" || startState === "CANCELLED") return "over";
  // While the start is pending an earlier stop may still take effect: that ends nothing.
  if (!hasBegun && startState === "PENDING") return "starting";
  return powerState === "UNKNOWN" || isUnderWay(powerState) ? "begun" : "over";
}

/** True while power flows, or is about to. */
export function isUnderWay(powerState: Vehicle["chargeState"]["powerDeliveryState"]): boolean {
  return powerState === "PLUGGED_IN:CHARGING" || powerState === "PLUGGED_IN:INITIALIZING";
}
