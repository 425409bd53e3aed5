import { z } from "zod";
import { HvacTarget } from "../actions/action.ts";
import { Instant } from "../fields.ts";
import { EmbeddedSmartOverride } from "../smart/smart-override.ts";

/** Whether the target follows its schedule (rules I3.2 and S7.5). */
export const ScheduleState = z
  .enum([
    "ALIGNED",
    "MISALIGNED",
    "PENDING",
    "INACTIVE:OVERRIDDEN",
    "INACTIVE:DISABLED",
    "INACTIVE:AWAY",
    "INACTIVE:INCAPABLE",
  ])
  .meta({
    description:
      "`ALIGNED`: the target has the expected setting. `PENDING`: a command for it is on its way. `MISALIGNED`: the target has another setting. `INACTIVE:OVERRIDDEN`: a smart override is active. `INACTIVE:DISABLED`: the schedule is switched off. `INACTIVE:AWAY`: the target is at another location. `INACTIVE:INCAPABLE`: the target cannot be commanded.",
  });
export type ScheduleState = z.infer<typeof ScheduleState>;

const STATUS_FIELDS = {
  scheduleId: z.uuid().meta({ description: "Id of the schedule." }),
  changedAt: Instant.meta({ description: "Time of the last change of the status." }),
  state: ScheduleState,
} as const;

const at = Instant.meta({ description: "Time from which the new value applies." });
const TRANSITIONS = "The next two changes by the rules, at most eight days ahead.";

/** The conditions of `isChargingExpected`; all of them have to be true. */
const ExpectedParts = z
  .object({
    needsCharge: z.boolean().meta({
      description: "`false` if the vehicle is full, or if the charger has no power or a fault.",
    }),
    isPluggedIn: z.boolean().meta({ description: "`false` also while it is not known." }),
    shouldCharge: z.boolean().meta({ description: "`true` if the rules require charging now." }),
  })
  .meta({ description: "Conditions of `isChargingExpected`; all of them have to be `true`." });

const ChargeScheduleStatus = z
  .object({
    ...STATUS_FIELDS,
    scheduleType: z.literal("CHARGE"),
    isCharging: z.boolean().meta({ description: "`false` also while it is not known." }),
    isChargingExpected: z.boolean().meta({ description: "`true` if the target should charge now." }),
    isChargingExpectedParts: ExpectedParts,
    upcomingTransitions: z
      .array(
        z.object({
          at,
          shouldCharge: z.boolean().meta({ description: "`true` if the rules require charging from then on." }),
        }),
      )
      .max(2)
      .meta({ description: TRANSITIONS }),
    smartOverride: EmbeddedSmartOverride.nullable().meta({
      description: "The active smart override; `null` if there is none.",
    }),
  })
  .meta({ id: "ChargeScheduleStatus" });
export type ChargeScheduleStatus = z.infer<typeof ChargeScheduleStatus>;

const TemperatureScheduleStatus = z
  .object({
    ...STATUS_FIELDS,
    scheduleType: z.literal("TEMPERATURE"),
    current: HvacTarget.nullable().meta({ description: "Present setting of the unit; `null` while it is not known." }),
    expected: HvacTarget.meta({ description: "Setting that the rules require now." }),
    upcomingTransitions: z
      .array(z.object({ at, target: HvacTarget }))
      .max(2)
      .meta({ description: TRANSITIONS }),
  })
  .meta({ id: "TemperatureScheduleStatus" });
export type TemperatureScheduleStatus = Omit<
  z.infer<typeof TemperatureScheduleStatus>,
  "current" | "expected" | "upcomingTransitions"
> & {
  readonly current: HvacTarget | null;
  readonly expected: HvacTarget;
  readonly upcomingTransitions: readonly { readonly at: string; readonly target: HvacTarget }[];
};

/** The status of a schedule: what is expected of its target now and next, and whether the target follows (rule S7.3). */
export const ScheduleStatus = z.discriminatedUnion("scheduleType", [ChargeScheduleStatus, TemperatureScheduleStatus]);
export type ScheduleStatus = ChargeScheduleStatus | TemperatureScheduleStatus;

/** Everything that a schedule's state depends on. */
export interface ScheduleFacts {
  readonly isEnabled: boolean;
  /** The target exists, and its capabilities, scopes and credentials allow commands. */
  readonly isCapable: boolean;
  /** The target is where the schedule applies. */
  readonly isThere: boolean;
  /** A smart override is active. */
  readonly isOverridden: boolean;
  /** The target does not show the expected setting. */
  readonly isDifferent: boolean;
  /** An action for the expected setting is pending. */
  readonly isUnderWay: boolean;
}

/** Returns the state of a schedule: the first condition that holds decides (rule S7.5). */
export function scheduleState(facts: ScheduleFacts): ScheduleState {
  if (!facts.isEnabled) return "INACTIVE:DISABLED";
  if (!facts.isCapable) return "INACTIVE:INCAPABLE";
  if (!facts.isThere) return "INACTIVE:AWAY";
  if (facts.isOverridden) return "INACTIVE:OVERRIDDEN";
  if (!facts.isDifferent) return "ALIGNED";
  return facts.isUnderWay ? "PENDING" : "MISALIGNED";
}

/** Returns true while the schedule controls its target. */
export function isActive(state: ScheduleState): boolean {
  return state === "ALIGNED" || state === "MISALIGNED" || state === "PENDING";
}

/**
 * Returns the status to publish: `published` itself if nothing has changed since, else `current` with `changedAt` set to
 * `now`, an ISO 8601 instant. Parts that did not change stay the same objects.
 */
export function settleStatus(published: ScheduleStatus | null, current: ScheduleStatus, now: string): ScheduleStatus {
  if (published === null) return { ...current, changedAt: now };
  const settled: ScheduleStatus = keepSame(published, { ...current, changedAt: published.changedAt });
  return Object.entries(settled).every(([key, value]) => Reflect.get(published, key) === value)
    ? published
    : { ...settled, changedAt: now };
}

function keepSame<Status extends object>(published: object, current: Status): Status {
  const kept = { ...current };
  for (const [key, value] of Object.entries(current)) {
    const before: unknown = Reflect.get(published, key);
    if (JSON.stringify(before) === JSON.stringify(value)) Reflect.set(kept, key, before);
  }
  return kept;
}
