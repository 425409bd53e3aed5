import { z } from "zod";
import { Instant, LocationId, NullableInstant } from "../fields.ts";
import { HourMinute } from "../hour-minute.ts";
import { EmbeddedSmartOverride } from "./smart-override.ts";

/** The body that changes a policy; fields that are left out stay as they are, unknown ones are ignored (rule S3.2). */
export const VehiclePolicyUpdate = z
  .object({
    isEnabled: z.boolean().optional().meta({ description: "Switches smart charging on or off." }),
    deadline: HourMinute.nullable().optional().meta({
      description:
        "Time of day, HH:MM in the location's time zone, by which the vehicle is charged; `null` removes it.",
    }),
    minimumChargeLimit: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .meta({ description: "State of charge below which the vehicle charges at any price, %." }),
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

/** The state of a vehicle's smart charging (rule S2.4). */
export const VehicleSmartState = z.enum([...RestState.options, ...ExecutingState.options, ...EndedState.options]).meta({
  description:
    "`CONSIDERING`: no plan yet; `consideration` shows what is missing. `PLAN:EXECUTING:…`: a plan is carried out. `PLAN:ENDED:…`: the last plan has ended. `UNKNOWN`: the vehicle cannot be controlled, or there are no prices.",
});
export type VehicleSmartState = z.infer<typeof VehicleSmartState>;

/** The conditions for a plan. */
export const Consideration = z
  .object({
    isPluggedIn: z.boolean().meta({ description: "`true` if the vehicle is plugged in." }),
    isCharging: z.boolean().meta({ description: "`true` if the vehicle charges." }),
    atChargingLocation: z.boolean().meta({ description: "`true` if the vehicle is at one of the user's locations." }),
    hasTimeEstimate: z.boolean().meta({ description: "`true` if the remaining charging time is known." }),
  })
  .meta({
    id: "SmartChargingConsideration",
    description: "The conditions for a plan; it is made when all of them are `true`.",
  });
export type Consideration = z.infer<typeof Consideration>;

export const FailureCondition = z.enum([
  "STOP_FAILED",
  "START_FAILED",
  "FINISHED_LATE",
  "CHARGE_INTERRUPTED",
  "UNKNOWN",
]);
export type FailureCondition = z.infer<typeof FailureCondition>;

/** A plan: a pause of charging and the charge after it. */
export const VehicleChargingPlan = z
  .object({
    id: z.uuid().meta({ description: "Id of the plan." }),
    vehicleId: z.string().meta({ description: "Id of the vehicle." }),
    userId: z.string().meta({ description: "User that the vehicle belongs to." }),
    locationId: LocationId,
    vendor: z.string().meta({ description: "Vendor code of the vehicle." }),
    currency: z.string().meta({ description: "ISO 4217 code, such as `EUR`." }),
    nonSmartCost: z.number().meta({ description: "Cost of charging at once, in `currency`." }),
    smartCost: z.number().nullable().meta({
      description: "Cost of the plan, in `currency`; `null` until its prices are known.",
    }),
    stopAt: Instant.meta({ description: "Start of the pause." }),
    startAt: NullableInstant.meta({
      description: "End of the pause; `null` while prices before the deadline are not known yet.",
    }),
    estimatedFinishAt: Instant.meta({ description: "Time at which the vehicle is expected to be charged." }),
    stopConfirmedAt: NullableInstant.meta({
      description: "Time at which a reading first showed that charging had stopped, for any reason; `null` before.",
    }),
    startConfirmedAt: NullableInstant.meta({
      description: "Time at which a reading first showed that charging had resumed, for any reason; `null` before.",
    }),
    endedAt: NullableInstant.meta({ description: "End of the plan; `null` while it is carried out." }),
    finalState: EndedState.nullable().meta({ description: "How the plan ended; `null` while it is carried out." }),
    failureCondition: FailureCondition.nullable().meta({
      description:
        "Why the plan failed; `FINISHED_LATE` if it took over 15 % longer than planned; `null` without a failure.",
    }),
  })
  .meta({
    id: "VehicleSmartChargingPlan",
    description: "A pause of a vehicle's charging until energy is cheaper, with the costs with and without it.",
  });
export type VehicleChargingPlan = z.infer<typeof VehicleChargingPlan>;

/** The status of a vehicle's smart charging. */
export const VehicleSmartStatus = z
  .object({
    updatedAt: Instant.meta({ description: "Time of the last change of the status." }),
    vehicleId: z.string().meta({ description: "Id of the vehicle." }),
    userId: z.string().meta({ description: "User that the vehicle belongs to." }),
    vendor: z.string().meta({ description: "Vendor code of the vehicle." }),
    state: VehicleSmartState,
    stateChangedAt: Instant.meta({ description: "Time of the last change of `state`." }),
    consideration: Consideration.nullable().meta({
      description: "Conditions for a plan; `null` unless `state` is `CONSIDERING`.",
    }),
    plan: VehicleChargingPlan.nullable().meta({
      description: "The plan that is carried out or has just ended; `null` if there is none.",
    }),
    smartOverride: EmbeddedSmartOverride.nullable().meta({
      description: "The active smart override; `null` if there is none.",
    }),
  })
  .meta({ id: "VehicleSmartChargingStatus" });
export type VehicleSmartStatus = z.infer<typeof VehicleSmartStatus>;
