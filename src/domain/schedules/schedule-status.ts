import { z } from "zod";
import { HvacTarget } from "../actions/action.ts";
import { Instant } from "../fields.ts";
import { EmbeddedSmartOverride } from "../smart/smart-override.ts";

/** How a schedule and its target stand to each other (rules I3.2 and S7.5). */
export const ScheduleState = z.enum([
  "ALIGNED",
  "MISALIGNED",
  "PENDING",
  "INACTIVE:OVERRIDDEN",
  "INACTIVE:DISABLED",
  "INACTIVE:AWAY",
  "INACTIVE:INCAPABLE",
]);
export type ScheduleState = z.infer<typeof ScheduleState>;

const STATUS_FIELDS = {
  scheduleId: z.uuid(),
  changedAt: Instant.meta({ description: "When anything else in the status changed last." }),
  state: ScheduleState,
} as const;

const at = Instant.meta({ description: "From when on; UTC." });

/** What `isChargingExpected` is made of: all of it must hold. */
const ExpectedParts = z.object({
  needsCharge: z.boolean().meta({ description: "False for a full vehicle, or a plug that takes no power." }),
  isPluggedIn: z.boolean().meta({ description: "False also while the device cannot tell." }),
  shouldCharge: z.boolean().meta({ description: "What the rules want now." }),
});

const ChargeScheduleStatus = z
  .object({
    ...STATUS_FIELDS,
    scheduleType: z.literal("CHARGE"),
    isCharging: z.boolean().meta({ description: "False also while the device cannot tell." }),
    isChargingExpected: z.boolean(),
    isChargingExpectedParts: ExpectedParts,
    upcomingTransitions: z
      .array(z.object({ at, shouldCharge: z.boolean() }))
      .max(2)
      .meta({ description: "The next changes of what the rules want, at most eight days ahead." }),
    smartOverride: EmbeddedSmartOverride.nullable(),
  })
  .meta({ id: "ChargeScheduleStatus" });
export type ChargeScheduleStatus = z.infer<typeof ChargeScheduleStatus>;

const TemperatureScheduleStatus = z
  .object({
    ...STATUS_FIELDS,
    scheduleType: z.literal("TEMPERATURE"),
    current: HvacTarget.nullable().meta({ description: "What the unit aims for; null while it cannot tell." }),
    expected: HvacTarget.meta({ description: "What the rules want now." }),
    upcomingTransitions: z
      .array(z.object({ at, target: HvacTarget }))
      .max(2)
      .meta({ description: "The next changes of what the rules want, at most eight days ahead." }),
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

/** How far a schedule is with its target (rule S7.3). */
export const ScheduleStatus = z.discriminatedUnion("scheduleType", [ChargeScheduleStatus, TemperatureScheduleStatus]);
export type ScheduleStatus = ChargeScheduleStatus | TemperatureScheduleStatus;

/** Everything that a schedule's state depends on. */
export interface ScheduleFacts {
  readonly isEnabled: boolean;
  /** The target is there, and capability, scope and credentials let it be commanded. */
  readonly isCapable: boolean;
  /** The target is where the schedule applies. */
  readonly isThere: boolean;
  readonly isOverridden: boolean;
  /** The target does not show what is expected. */
  readonly isDifferent: boolean;
  /** An action towards the expectation is pending. */
  readonly isUnderWay: boolean;
}

/** The state; the first condition that holds decides (rule S7.5). */
export function scheduleState(facts: ScheduleFacts): ScheduleState {
  if (!facts.isEnabled) return "INACTIVE:DISABLED";
  if (!facts.isCapable) return "INACTIVE:INCAPABLE";
  if (!facts.isThere) return "INACTIVE:AWAY";
  if (facts.isOverridden) return "INACTIVE:OVERRIDDEN";
  if (!facts.isDifferent) return "ALIGNED";
  return facts.isUnderWay ? "PENDING" : "MISALIGNED";
}

/** True while the schedule is in charge of its target. */
export function isActive(state: ScheduleState): boolean {
  return state === "ALIGNED" || state === "MISALIGNED" || state === "PENDING";
}

/**
 * The status as it is told: the very same object when nothing but the time of looking changed, else with `changedAt` at
 * `now`. Parts that did not change stay the same objects.
 */
export function settleStatus(told: ScheduleStatus | null, seen: ScheduleStatus, now: string): ScheduleStatus {
  if (told === null) return { ...seen, changedAt: now };
  const settled: ScheduleStatus = keepSame(told, { ...seen, changedAt: told.changedAt });
  return Object.entries(settled).every(([key, value]) => Reflect.get(told, key) === value)
    ? told
    : { ...settled, changedAt: now };
}

function keepSame<Seen extends object>(told: object, seen: Seen): Seen {
  const kept = { ...seen };
  for (const [key, value] of Object.entries(seen)) {
    const before: unknown = Reflect.get(told, key);
    if (JSON.stringify(before) === JSON.stringify(value)) Reflect.set(kept, key, before);
  }
  return kept;
}
