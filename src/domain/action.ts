import { z } from "zod";
import { RequestableMode } from "./battery.ts";
import { Instant, NullableInstant } from "./fields.ts";

const ActionState = z.enum(["PENDING", "CONFIRMED", "FAILED", "CANCELLED"]);
export type ActionState = z.infer<typeof ActionState>;

/** Why an action did not end CONFIRMED (interface 2.3). */
export const FailureType = z.enum([
  "NO_RESPONSE",
  "FAILED_PRECONDITION",
  "UNNECESSARY",
  "CONFLICT",
  "REQUESTED_CANCELLATION",
  "NOT_FOUND",
]);
export type FailureType = z.infer<typeof FailureType>;

const ACTION_FIELDS = {
  id: z.uuid(),
  userId: z.string().meta({ description: "Owner of the target." }),
  createdAt: Instant,
  updatedAt: Instant,
  completedAt: NullableInstant.meta({ description: "When the action left PENDING." }),
  state: ActionState,
  targetId: z.string(),
  failureReason: z.object({ type: FailureType, detail: z.string() }).nullable(),
} as const;

/** Sets a battery's operation mode. */
export const BatteryAction = z
  .object({
    ...ACTION_FIELDS,
    targetType: z.literal("battery"),
    targetState: z.object({ operationMode: RequestableMode }),
  })
  .meta({ id: "BatteryAction" });
export type BatteryAction = z.infer<typeof BatteryAction>;

export const ChargeKind = z.enum(["START", "STOP"]);
export type ChargeKind = z.infer<typeof ChargeKind>;

/** Starts or stops charging. */
export const ChargeAction = z
  .object({ ...ACTION_FIELDS, targetType: z.literal("charger"), kind: ChargeKind })
  .meta({ id: "ChargeAction" });
export type ChargeAction = z.infer<typeof ChargeAction>;

/** Sets the most that a charger offers, ampere per phase. */
export const MaxCurrentAction = z
  .object({
    ...ACTION_FIELDS,
    targetType: z.literal("charger"),
    targetState: z.object({ maxCurrent: z.number().positive().meta({ description: "Ampere per phase." }) }),
  })
  .meta({ id: "MaxCurrentAction" });
export type MaxCurrentAction = z.infer<typeof MaxCurrentAction>;

/** An asynchronous command record (interface 2.3, 3.1). */
export const Action = z.union([BatteryAction, ChargeAction, MaxCurrentAction]);
export type Action = z.infer<typeof Action>;
export type ActionTargetType = Action["targetType"];

/** What a caller wants of a target; the rest of the action follows from it. */
export type ActionWish =
  | { readonly targetType: "battery"; readonly operationMode: RequestableMode }
  | { readonly targetType: "charger"; readonly kind: ChargeKind }
  | { readonly targetType: "charger"; readonly maxCurrent: number };
