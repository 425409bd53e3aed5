import { z } from "zod";
import { RequestableMode } from "../assets/battery.ts";
import { HvacHoldType } from "../assets/hvac.ts";
import { Instant, NullableInstant } from "../fields.ts";

const ActionState = z.enum(["PENDING", "CONFIRMED", "FAILED", "CANCELLED"]);
export type ActionState = z.infer<typeof ActionState>;

/** The reason why an action ended as FAILED or CANCELLED (rule I2.3). */
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
  userId: z.string().meta({ description: "User that the target belongs to." }),
  createdAt: Instant,
  updatedAt: Instant,
  completedAt: NullableInstant.meta({ description: "Time at which the action ended; `null` while it is PENDING." }),
  state: ActionState.meta({
    description:
      "`PENDING`: the command is being carried out. `CONFIRMED`: a reading shows the setting. `FAILED`: the device did not take the command in time. `CANCELLED`: the action ended without a failure of the device.",
  }),
  targetId: z.string().meta({ description: "Device that is commanded." }),
  failureReason: z
    .object({
      type: FailureType.meta({
        description:
          "`NO_RESPONSE`: the command was sent and the device did not follow. `FAILED_PRECONDITION`: the command could not be sent, such as to a vehicle that is not plugged in. `UNNECESSARY`: the device already had the setting. `CONFLICT`: a newer action, or somebody at the device, changed the setting. `REQUESTED_CANCELLATION`: the action was cancelled on request. `NOT_FOUND`: the device was removed.",
      }),
      detail: z.string().meta({ description: "What happened, in English." }),
    })
    .nullable()
    .meta({ description: "Why the action ended as FAILED or CANCELLED; `null` otherwise." }),
} as const;

/** An action that sets a battery's operation mode. */
export const BatteryAction = z
  .object({
    ...ACTION_FIELDS,
    targetType: z.literal("battery"),
    targetState: z.object({ operationMode: RequestableMode }),
  })
  .meta({ id: "BatteryAction" });
export type BatteryAction = z.infer<typeof BatteryAction>;

/** Starts or stops charging. */
export const ChargeKind = z.enum(["START", "STOP"]);
export type ChargeKind = z.infer<typeof ChargeKind>;

/** The kind of device that a charging command goes to: the charger or the vehicle. */
export const ChargeTargetType = z.enum(["charger", "vehicle"]);
export type ChargeTargetType = z.infer<typeof ChargeTargetType>;

/** An action that starts or stops charging. */
export const ChargeAction = z
  .object({ ...ACTION_FIELDS, targetType: ChargeTargetType, kind: ChargeKind })
  .meta({ id: "ChargeAction" });
export type ChargeAction = z.infer<typeof ChargeAction>;

/** An action that sets the highest current that a charger offers or a vehicle draws, A per phase. */
export const MaxCurrentAction = z
  .object({
    ...ACTION_FIELDS,
    targetType: ChargeTargetType,
    targetState: z.object({
      maxCurrent: z.number().positive().meta({ description: "Highest charging current, A per phase." }),
    }),
  })
  .meta({ id: "MaxCurrentAction" });
export type MaxCurrentAction = z.infer<typeof MaxCurrentAction>;

/** An action that limits a charger's power. The limit stays until another one is set or it is lifted. */
export const ChargeRateLimitAction = z
  .object({
    ...ACTION_FIELDS,
    targetType: z.literal("charger"),
    targetState: z.object({
      chargeRateLimit: z
        .number()
        .positive()
        .nullable()
        .meta({ description: "Highest charging power, kW; `null` lifts the limit." }),
      maxCurrent: z.number().meta({ description: "Current by which the limit is kept, A per phase." }),
    }),
  })
  .meta({ id: "ChargeRateLimitAction" });
export type ChargeRateLimitAction = z.infer<typeof ChargeRateLimitAction>;

const HeatSetpoint = z.number().meta({ description: "Temperature below which the unit heats, °C." });
const CoolSetpoint = z.number().meta({ description: "Temperature above which the unit cools, °C." });

/** A permanent hold: a mode with the setpoints that it needs and no others (rule S2.7). */
export const PermanentHold = z.discriminatedUnion("mode", [
  z.strictObject({ mode: z.literal("COOL"), coolSetpoint: CoolSetpoint }),
  z.strictObject({ mode: z.literal("HEAT"), heatSetpoint: HeatSetpoint }),
  z.strictObject({ mode: z.literal("AUTO"), coolSetpoint: CoolSetpoint, heatSetpoint: HeatSetpoint }),
  z.strictObject({ mode: z.literal("OFF") }),
]);
export type PermanentHold = z.infer<typeof PermanentHold>;

const PERMANENT = { holdType: z.literal(HvacHoldType.enum.PERMANENT) } as const;

/** The desired state of an HVAC unit: a permanent hold, or the unit's own schedule (rule S7.2). */
export const HvacTarget = z.union([
  ...PermanentHold.options.map((hold) => hold.extend(PERMANENT)),
  z.strictObject({ holdType: z.literal(HvacHoldType.enum.SCHEDULED) }),
]);
export type HvacTarget = (PermanentHold & { readonly holdType: "PERMANENT" }) | { readonly holdType: "SCHEDULED" };

/** An action that sets a permanent hold on an HVAC unit, or returns the unit to its own schedule. */
export const HvacAction = z
  .object({ ...ACTION_FIELDS, targetType: z.literal("hvac"), target: HvacTarget })
  .meta({ id: "HvacAction" });
export type HvacAction = Omit<z.infer<typeof HvacAction>, "target"> & { readonly target: HvacTarget };

/** A command as a record with a state (rules I2.3 and I3.1). */
export const Action = z.union([BatteryAction, ChargeAction, ChargeRateLimitAction, MaxCurrentAction, HvacAction]);
export type Action = BatteryAction | ChargeAction | ChargeRateLimitAction | MaxCurrentAction | HvacAction;
export type ActionTargetType = Action["targetType"];

/** The setting that a target should have. An action is created from it. */
export type DesiredSetting =
  | { readonly targetType: "battery"; readonly operationMode: RequestableMode }
  | { readonly targetType: ChargeTargetType; readonly kind: ChargeKind }
  | { readonly targetType: ChargeTargetType; readonly maxCurrent: number }
  | (ChargeRateSetting & { readonly maxCurrent: number })
  | { readonly targetType: "hvac"; readonly target: HvacTarget };

/** A charge rate limit, kW; `null` lifts the limit. */
export interface ChargeRateSetting {
  readonly targetType: "charger";
  readonly chargeRateLimit: number | null;
}

/** A setting as a client requests it. A charge rate limit comes without the current that keeps it. */
export type RequestedSetting = DesiredSetting | ChargeRateSetting;

/**
 * Who started an action: a client of the API, or a feature of the gateway that controls the target. Only the feature
 * itself cancels its pending action, which then ends with REQUESTED_CANCELLATION.
 */
export type ActionOrigin = "client" | ControllerKind | "smart-override";

/** The features that can control a target, one at a time (rule S2.4). */
export type ControllerKind = "schedule" | "smart-charging" | "smart-policy" | "energy";
