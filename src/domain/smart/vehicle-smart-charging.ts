import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import { HourMinute } from "../hour-minute.ts";
import { EmbeddedSmartOverride } from "./smart-override.ts";

/** What a policy's update may say; keys that it does not know are passed over (rule S3.2). */
export const VehiclePolicyUpdate = z
  .object({
    isEnabled: z.boolean().optional(),
    deadline: HourMinute.nullable().optional().meta({ description: "HH:MM in the location's zone." }),
    minimumChargeLimit: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: "Percent below which it charges at any price." }),
  })
  .meta({ id: "VehicleSmartChargingPolicyUpdate" });
export type VehiclePolicyUpdate = z.infer<typeof VehiclePolicyUpdate>;

export const EndedState = z.enum([
  "PLAN:ENDED:FINISHED",
  "PLAN:ENDED:UNPLUGGED",
  "PLAN:ENDED:FAILED",
  "PLAN:ENDED:DISABLED",
  "PLAN:ENDED:DEADLINE_CHANGED",
]);
export type EndedState = z.infer<typeof EndedState>;

export const ExecutingState = z.enum([
  "PLAN:EXECUTING:STOPPING",
  "PLAN:EXECUTING:STOP_FAILED",
  "PLAN:EXECUTING:STOPPED",
  "PLAN:EXECUTING:STOPPED:AWAITING_PRICES",
  "PLAN:EXECUTING:STARTING",
  "PLAN:EXECUTING:START_FAILED",
  "PLAN:EXECUTING:STARTED",
  "PLAN:EXECUTING:CHARGE_INTERRUPTED",
  "PLAN:EXECUTING:OVERRIDDEN",
]);
export type ExecutingState = z.infer<typeof ExecutingState>;

const RestState = z.enum(["DISABLED", "CONSIDERING", "FULLY_CHARGED", "UNKNOWN"]);
export type RestState = z.infer<typeof RestState>;

/** Where a vehicle's smart charging is (rule S2.4). */
export const VehicleSmartState = z.enum([...RestState.options, ...ExecutingState.options, ...EndedState.options]);
export type VehicleSmartState = z.infer<typeof VehicleSmartState>;

/** What must all be true before a plan is made. */
export const Consideration = z
  .object({
    isPluggedIn: z.boolean(),
    isCharging: z.boolean(),
    atChargingLocation: z.boolean(),
    hasTimeEstimate: z.boolean().meta({ description: "Whether the charging time that is left can be told." }),
  })
  .meta({ id: "SmartChargingConsideration" });
export type Consideration = z.infer<typeof Consideration>;

export const FailureCondition = z.enum([
  "STOP_FAILED",
  "START_FAILED",
  "FINISHED_LATE",
  "CHARGE_INTERRUPTED",
  "UNKNOWN",
]);
export type FailureCondition = z.infer<typeof FailureCondition>;

/** A pause and the charge after it. */
export const VehicleChargingPlan = z
  .object({
    id: z.uuid(),
    vehicleId: z.string(),
    userId: z.string(),
    locationId: z.uuid().nullable(),
    vendor: z.string(),
    currency: z.string().meta({ description: "ISO 4217." }),
    nonSmartCost: z.number().meta({ description: "What charging at once would cost, currency units." }),
    smartCost: z.number().nullable().meta({ description: "What the plan costs; null until its prices are known." }),
    stopAt: Instant,
    startAt: NullableInstant.meta({ description: "Null while prices are awaited." }),
    estimatedFinishAt: Instant,
    stopConfirmedAt: NullableInstant.meta({ description: "When charging was first seen stopped, whoever did it." }),
    startConfirmedAt: NullableInstant.meta({ description: "When charging was first seen resumed, whoever did it." }),
    endedAt: NullableInstant,
    finalState: EndedState.nullable(),
    failureCondition: FailureCondition.nullable().meta({
      description: "Why it failed; FINISHED_LATE when it finished more than 15 % late.",
    }),
  })
  .meta({ id: "VehicleSmartChargingPlan", description: "One pause of a vehicle's charging, and what it saves." });
export type VehicleChargingPlan = z.infer<typeof VehicleChargingPlan>;

export const VehicleSmartStatus = z
  .object({
    updatedAt: Instant,
    vehicleId: z.string(),
    userId: z.string(),
    vendor: z.string(),
    state: VehicleSmartState,
    stateChangedAt: Instant,
    consideration: Consideration.nullable().meta({ description: "Filled while CONSIDERING." }),
    plan: VehicleChargingPlan.nullable().meta({ description: "The plan that is executed or has just ended." }),
    smartOverride: EmbeddedSmartOverride.nullable(),
  })
  .meta({ id: "VehicleSmartChargingStatus" });
export type VehicleSmartStatus = z.infer<typeof VehicleSmartStatus>;
