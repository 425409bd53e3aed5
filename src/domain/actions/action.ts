import { z } from "zod";
import { RequestableMode } from "../assets/battery.ts";
import { HvacHoldType } from "../assets/hvac.ts";
import { Instant, NullableInstant } from "../fields.ts";

const ActionState = z.enum(["PENDING", "CONFIRMED", "FAILED", "CANCELLED"]);
export type ActionState = z.infer<typeof ActionState>;

/** Why an action did not end CONFIRMED (rule I2.3). */
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

/** What charges: the charger's side or the vehicle's. */
export const ChargeTargetType = z.enum(["charger", "vehicle"]);
export type ChargeTargetType = z.infer<typeof ChargeTargetType>;

/** Starts or stops charging. */
export const ChargeAction = z
  .object({ ...ACTION_FIELDS, targetType: ChargeTargetType, kind: ChargeKind })
  .meta({ id: "ChargeAction" });
export type ChargeAction = z.infer<typeof ChargeAction>;

/** Sets the most that a charger offers or a vehicle draws, ampere per phase. */
export const MaxCurrentAction = z
  .object({
    ...ACTION_FIELDS,
    targetType: ChargeTargetType,
    targetState: z.object({ maxCurrent: z.number().positive().meta({ description: "Ampere per phase." }) }),
  })
  .meta({ id: "MaxCurrentAction" });
export type MaxCurrentAction = z.infer<typeof MaxCurrentAction>;

/** Limits a charger's power; it stays until another limit, or none, is set. */
export const ChargeRateLimitAction = z
  .object({
    ...ACTION_FIELDS,
    targetType: z.literal("charger"),
    targetState: z.object({
      chargeRateLimit: z.number().positive().nullable().meta({ description: "kW; null lifts the limit." }),
      maxCurrent: z.number().meta({ description: "The current that keeps the limit, ampere per phase." }),
    }),
  })
  .meta({ id: "ChargeRateLimitAction" });
export type ChargeRateLimitAction = z.infer<typeof ChargeRateLimitAction>;

const Setpoint = z.number().meta({ description: "Degrees Celsius." });

/** A hold until further notice: four shapes by mode, closed (rule S2.7). */
export const PermanentHold = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("COOL"), coolSetpoint: Setpoint }),
  z.strictObject({ mode: z.literal("HEAT"), heatSetpoint: Setpoint }),
  z.strictObject({ mode: z.literal("AUTO"), coolSetpoint: Setpoint, heatSetpoint: Setpoint }),
  z.strictObject({ mode: z.literal("OFF") }),
]);
export type PermanentHold = z.infer<typeof PermanentHold>;

const PERMANENT = { holdType: z.literal(HvacHoldType.enum.PERMANENT) } as const;

/** What a unit is to aim for: a permanent hold, or the schedule in the unit (rule S7.2). */
export const HvacTarget = z.union([
  ...PermanentHold.options.map((hold) => hold.extend(PERMANENT)),
  z.strictObject({ holdType: z.literal(HvacHoldType.enum.SCHEDULED) }),
]);
export type HvacTarget = (PermanentHold & { readonly holdType: "PERMANENT" }) | { readonly holdType: "SCHEDULED" };

/** Holds a unit, or hands it back to its own schedule. */
export const HvacAction = z
  .object({ ...ACTION_FIELDS, targetType: z.literal("hvac"), target: HvacTarget })
  .meta({ id: "HvacAction" });
export type HvacAction = Omit<z.infer<typeof HvacAction>, "target"> & { readonly target: HvacTarget };

/** An asynchronous command record (rules I2.3 and I3.1). */
export const Action = z.union([BatteryAction, ChargeAction, ChargeRateLimitAction, MaxCurrentAction, HvacAction]);
export type Action = BatteryAction | ChargeAction | ChargeRateLimitAction | MaxCurrentAction | HvacAction;
export type ActionTargetType = Action["targetType"];

/** What a caller wants of a target; the rest of the action follows from it. */
export type ActionWish =
  | { readonly targetType: "battery"; readonly operationMode: RequestableMode }
  | { readonly targetType: ChargeTargetType; readonly kind: ChargeKind }
  | { readonly targetType: ChargeTargetType; readonly maxCurrent: number }
  | (ChargeRateWish & { readonly maxCurrent: number })
  | { readonly targetType: "hvac"; readonly target: HvacTarget };

/** A most power, kW; null: none. */
export interface ChargeRateWish {
  readonly targetType: "charger";
  readonly chargeRateLimit: number | null;
}

/** A wish as a caller has it, who does not know which current keeps a power. */
export type AskedWish = ActionWish | ChargeRateWish;

/**
 * Who wants it: a client of the API, or a feature of the gateway that controls the target. A feature's pending action
 * is cancelled by it alone, and then says REQUESTED_CANCELLATION.
 */
export type ActionOrigin = "client" | ControllerKind | "smart-override";

/** The features that may control a target, one at a time (rule S2.4). */
export type ControllerKind = "schedule" | "smart-charging" | "smart-policy";
