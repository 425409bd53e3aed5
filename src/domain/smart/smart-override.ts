import { z } from "zod";
import { type Action, ChargeTargetType } from "../actions/action.ts";
import type { Vehicle } from "../assets/vehicle.ts";
import { Instant, NullableInstant } from "../fields.ts";

/** A smart override: it charges at once, against schedule and smart charging, until charging stops (rule I2.13). */
export const SmartOverride = z
  .object({
    createdAt: Instant.meta({ description: "Start of the override." }),
    endedAt: NullableInstant.meta({ description: "End of the override; `null` while it is active." }),
    targetType: ChargeTargetType,
    targetId: z.string().meta({ description: "Id of the charger or vehicle." }),
    vendorActionId: z.uuid().nullable().meta({
      description: "Action that starts charging; `null` if the target was already charging.",
    }),
    userId: z.string().meta({ description: "User that the target belongs to." }),
    vendor: z.string().meta({ description: "Vendor code of the target." }),
  })
  .meta({
    id: "SmartOverride",
    description: "Charges at once, against schedule and smart charging, until charging stops or the override is ended.",
  });
export type SmartOverride = z.infer<typeof SmartOverride>;

/** An override as a part of a status, which already has its user and vendor. */
export const EmbeddedSmartOverride = SmartOverride.omit({ userId: true, vendor: true }).meta({
  id: "EmbeddedSmartOverride",
});
export type EmbeddedSmartOverride = z.infer<typeof EmbeddedSmartOverride>;

/** The progress of an override: charging is being started, has begun, or the override is over. */
export type OverrideProgress = "starting" | "begun" | "over";

/** Everything that the progress of an override depends on. */
export interface OverrideFacts {
  /** True once charging was observed since the start of the override. */
  readonly hasBegun: boolean;
  /** The state of the target; `null` if the target was removed. */
  readonly powerState: Vehicle["chargeState"]["powerDeliveryState"] | null;
  /** The state of the action that starts charging; `null` if there is no action. */
  readonly startState: Action["state"] | null;
}

/**
 * Returns the progress of an override. It is over when charging stops for any reason, or when its action ends without
 * charging. A state that is not known does not end it.
 */
export function overrideProgress({ hasBegun, powerState, startState }: OverrideFacts): OverrideProgress {
  if (powerState === null || startState === "FAILED" || startState === "CANCELLED") return "over";
  // While the start is pending, an earlier stop may still take effect; that does not end the override.
  if (!hasBegun && startState === "PENDING") return "starting";
  return powerState === "UNKNOWN" || isUnderWay(powerState) ? "begun" : "over";
}

/** Returns true while the vehicle charges, or is about to. */
export function isUnderWay(powerState: Vehicle["chargeState"]["powerDeliveryState"]): boolean {
  return powerState === "PLUGGED_IN:CHARGING" || powerState === "PLUGGED_IN:INITIALIZING";
}
