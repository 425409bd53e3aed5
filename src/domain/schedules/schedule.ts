import { z } from "zod";
import { ChargeTargetType, HvacTarget } from "../actions/action.ts";
import { HourMinute } from "../hour-minute.ts";
import { shortName } from "../issue-text.ts";
import { type Issue, problem } from "../problem.ts";

/** More rules than these are refused: each of them is looked at again and again. */
const MAX_RULES = 200;
const DAYS_A_WEEK = 7;

const RuleInstant = z.iso.datetime({ offset: true });

/** What limits a rule; all that are given must hold (rules S7.2 and S7.4). */
const FILTERS = {
  hourMinute: z
    .strictObject({
      from: HourMinute.meta({ description: "HH:MM from which on the rule holds." }),
      to: HourMinute.meta({ description: "HH:MM until which it holds; the next day unless it is later than `from`." }),
    })
    .optional()
    .meta({ description: "Wall-clock time at the place; across midnight it belongs to the day on which it begins." }),
  fromTimestamp: RuleInstant.optional().meta({ description: "From this instant on." }),
  toTimestamp: RuleInstant.optional().meta({ description: "Until just before this instant." }),
  weekdays: z
    .array(z.int().min(0).max(6))
    .min(1)
    .max(DAYS_A_WEEK)
    .optional()
    .meta({ description: "0 is Monday, 6 is Sunday." }),
} as const;

export const ChargeRule = z
  .strictObject({ ...FILTERS, shouldCharge: z.boolean() })
  .meta({ id: "ChargeRule", description: "Of the rules that hold, the last one counts." });
export type ChargeRule = z.infer<typeof ChargeRule>;

export const TemperatureRule = z
  .strictObject({ ...FILTERS, targetState: HvacTarget })
  .meta({ id: "TemperatureRule", description: "Of the rules that hold, the last one counts." });
export type TemperatureRule = Omit<z.infer<typeof TemperatureRule>, "targetState"> & {
  readonly targetState: HvacTarget;
};

/** The filters of a rule, of either kind. */
export type RuleFilters = Omit<ChargeRule, "shouldCharge">;

const TARGET = {
  targetId: z.string().meta({ description: "The device that it controls." }),
  isEnabled: z.boolean().meta({ description: "Whether it tries to control the target." }),
} as const;

const CHARGE_FIELDS = {
  ...TARGET,
  targetType: ChargeTargetType,
  locationId: z.uuid().nullable().meta({
    description: "Where it applies. Null: a charger anywhere, a vehicle at any known location.",
  }),
  defaultShouldCharge: z.boolean().meta({ description: "Whether to charge while no rule holds." }),
  rules: z.array(ChargeRule).max(MAX_RULES),
} as const;

const TEMPERATURE_FIELDS = {
  ...TARGET,
  targetType: z.literal("hvac"),
  defaultTargetState: HvacTarget.meta({ description: "What to aim for while no rule holds." }),
  rules: z.array(TemperatureRule).max(MAX_RULES),
} as const;

const ScheduleId = { id: z.uuid() } as const;

/** A charge schedule as it is submitted (rule S7.2). */
const NewChargeSchedule = z.strictObject(CHARGE_FIELDS).meta({ id: "NewChargeSchedule" });
export type NewChargeSchedule = z.infer<typeof NewChargeSchedule>;

/** A temperature schedule as it is submitted. */
const NewTemperatureSchedule = z.strictObject(TEMPERATURE_FIELDS).meta({ id: "NewTemperatureSchedule" });
export type NewTemperatureSchedule = Omit<z.infer<typeof NewTemperatureSchedule>, "defaultTargetState" | "rules"> & {
  readonly defaultTargetState: HvacTarget;
  readonly rules: readonly TemperatureRule[];
};

/** A schedule as it is submitted; the target's kind decides which of the two it is. */
export const NewSchedule = z.discriminatedUnion("targetType", [NewChargeSchedule, NewTemperatureSchedule]);
export type NewSchedule = NewChargeSchedule | NewTemperatureSchedule;

/** What of a schedule changes; any field but its id. */
export const ScheduleChanges = z.union([
  NewChargeSchedule.partial().meta({ id: "ChargeScheduleChanges" }),
  NewTemperatureSchedule.partial().meta({ id: "TemperatureScheduleChanges" }),
]);
export type ScheduleChanges = z.infer<typeof ScheduleChanges>;

const ChargeSchedule = z
  .object({ ...ScheduleId, ...CHARGE_FIELDS })
  .meta({ id: "ChargeSchedule", description: "When a vehicle or charger shall charge." });

const TemperatureSchedule = z
  .object({ ...ScheduleId, ...TEMPERATURE_FIELDS })
  .meta({ id: "TemperatureSchedule", description: "When an HVAC unit shall aim for what." });

/** A schedule (rules I2.12 and S7.2). */
export const Schedule = z.discriminatedUnion("targetType", [ChargeSchedule, TemperatureSchedule]);
export type ChargeSchedule = z.infer<typeof ChargeSchedule>;
export type TemperatureSchedule = NewTemperatureSchedule & Pick<ChargeSchedule, "id">;
export type Schedule = ChargeSchedule | TemperatureSchedule;

/**
 * The fields after a partial update. A schedule that becomes one of the other kind keeps its target and nothing else.
 * Throws `bad-request` with issues when something is then missing or does not belong to the kind.
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
