import { z } from "zod";
import { ChargeTargetType, HvacTarget } from "../actions/action.ts";
import { HourMinute } from "../hour-minute.ts";
import { shortName } from "../issue-text.ts";
import { type Issue, problem } from "../problem.ts";

/** Highest number of rules in a schedule; all of them are evaluated again and again. */
const MAX_RULES = 200;
const DAYS_A_WEEK = 7;

const RuleInstant = z.iso.datetime({ offset: true });

/** The conditions of a rule; all that are set have to be met (rules S7.2 and S7.4). */
const FILTERS = {
  hourMinute: z
    .strictObject({
      from: HourMinute.meta({ description: "Start, HH:MM, inclusive." }),
      to: HourMinute.meta({
        description: "End, HH:MM, exclusive; on the next day unless it is later than `from`.",
      }),
    })
    .optional()
    .meta({
      description:
        "Time of day in the location's time zone. A time that crosses midnight belongs to the day on which it begins.",
    }),
  fromTimestamp: RuleInstant.optional().meta({ description: "Start of the rule's validity, inclusive." }),
  toTimestamp: RuleInstant.optional().meta({ description: "End of the rule's validity, exclusive." }),
  weekdays: z
    .array(z.int().min(0).max(6))
    .min(1)
    .max(DAYS_A_WEEK)
    .optional()
    .meta({ description: "Days of the week, 0 is Monday, 6 is Sunday; by default all days." }),
} as const;
const LAST_RULE = "If several rules apply, the last one counts.";

/** A rule of a charge schedule. */
export const ChargeRule = z
  .strictObject({
    ...FILTERS,
    shouldCharge: z.boolean().meta({ description: "`true`: charge while the rule applies; `false`: do not charge." }),
  })
  .meta({ id: "ChargeRule", description: `A rule of a charge schedule. ${LAST_RULE}` });
export type ChargeRule = z.infer<typeof ChargeRule>;

/** A rule of a temperature schedule. */
export const TemperatureRule = z
  .strictObject({
    ...FILTERS,
    targetState: HvacTarget.meta({ description: "Setting of the unit while the rule applies." }),
  })
  .meta({ id: "TemperatureRule", description: `A rule of a temperature schedule. ${LAST_RULE}` });
export type TemperatureRule = Omit<z.infer<typeof TemperatureRule>, "targetState"> & {
  readonly targetState: HvacTarget;
};

/** The conditions of a rule of either kind. */
export type RuleFilters = Omit<ChargeRule, "shouldCharge">;

const TARGET = {
  targetId: z.string().meta({ description: "Id of the device that the schedule controls." }),
  isEnabled: z.boolean().meta({ description: "`false`: the schedule does not control its target." }),
} as const;
const RULES = "Rules of the schedule. If several apply, the last one counts.";

const CHARGE_FIELDS = {
  ...TARGET,
  targetType: ChargeTargetType,
  locationId: z.uuid().nullable().meta({
    description:
      "Location at which the schedule applies. `null`: it applies to a charger anywhere, and to a vehicle at any of the user's locations.",
  }),
  defaultShouldCharge: z.boolean().meta({
    description: "`true`: charge while no rule applies; `false`: do not charge.",
  }),
  rules: z.array(ChargeRule).max(MAX_RULES).meta({ description: RULES }),
} as const;

const TEMPERATURE_FIELDS = {
  ...TARGET,
  targetType: z.literal("hvac"),
  defaultTargetState: HvacTarget.meta({ description: "Setting of the unit while no rule applies." }),
  rules: z.array(TemperatureRule).max(MAX_RULES).meta({ description: RULES }),
} as const;

const ScheduleId = { id: z.uuid().meta({ description: "Id of the schedule." }) } as const;

/** A new charge schedule (rule S7.2). */
const NewChargeSchedule = z.strictObject(CHARGE_FIELDS).meta({ id: "NewChargeSchedule" });
export type NewChargeSchedule = z.infer<typeof NewChargeSchedule>;

/** A new temperature schedule. */
const NewTemperatureSchedule = z.strictObject(TEMPERATURE_FIELDS).meta({ id: "NewTemperatureSchedule" });
export type NewTemperatureSchedule = Omit<z.infer<typeof NewTemperatureSchedule>, "defaultTargetState" | "rules"> & {
  readonly defaultTargetState: HvacTarget;
  readonly rules: readonly TemperatureRule[];
};

/** A new schedule; `targetType` decides of which kind. */
export const NewSchedule = z.discriminatedUnion("targetType", [NewChargeSchedule, NewTemperatureSchedule]);
export type NewSchedule = NewChargeSchedule | NewTemperatureSchedule;

/** The changes of a schedule: any field but its id. */
export const ScheduleChanges = z.union([
  NewChargeSchedule.partial().meta({ id: "ChargeScheduleChanges" }),
  NewTemperatureSchedule.partial().meta({ id: "TemperatureScheduleChanges" }),
]);
export type ScheduleChanges = z.infer<typeof ScheduleChanges>;

const ChargeSchedule = z
  .object({ ...ScheduleId, ...CHARGE_FIELDS })
  .meta({ id: "ChargeSchedule", description: "A schedule that charges a vehicle by rules." });

const TemperatureSchedule = z
  .object({ ...ScheduleId, ...TEMPERATURE_FIELDS })
  .meta({ id: "TemperatureSchedule", description: "A schedule that sets an HVAC unit by rules." });

/** A schedule (rules I2.12 and S7.2). */
export const Schedule = z.discriminatedUnion("targetType", [ChargeSchedule, TemperatureSchedule]);
export type ChargeSchedule = z.infer<typeof ChargeSchedule>;
export type TemperatureSchedule = NewTemperatureSchedule & Pick<ChargeSchedule, "id">;
export type Schedule = ChargeSchedule | TemperatureSchedule;

/**
 * Returns the fields after a partial update. A schedule that changes its kind keeps only its target and `isEnabled`. Throws
 * `bad-request` with issues if a field is missing then, or does not belong to the kind.
 */
export function changeSchedule(before: NewSchedule, changes: ScheduleChanges): NewSchedule {
  const targetType = changes.targetType ?? before.targetType;
  const isSameKind = (targetType === "hvac") === (before.targetType === "hvac");
  const { targetId, isEnabled } = before;
  const kept = isSameKind ? before : { targetId, isEnabled };
  const schema = targetType === "hvac" ? NewTemperatureSchedule : NewChargeSchedule;
  const result = schema.safeParse({ ...kept, ...changes });
  if (result.success) return result.data;
  const issues = result.error.issues.flatMap(issuesOf);
  throw problem("bad-request", "The changed schedule would not be complete; see `issues`.", { issues });
}

type ZodIssue = z.core.$ZodIssue;

function issuesOf(issue: ZodIssue): readonly Issue[] {
  const path = issue.path.map((key) => (typeof key === "number" ? key : String(key)));
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const name = shortName(key);
      return { message: `Unknown key "${name}"`, code: issue.code, path: [...path, name], in: "body" };
    });
  }
  return [{ message: issue.message, in: "body", code: issue.code === "invalid_type" ? issue.code : "custom", path }];
}
