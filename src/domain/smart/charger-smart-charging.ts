import { z } from "zod";
import { Instant, instant } from "../fields.ts";
import { HourMinute } from "../hour-minute.ts";
import type { ChargeSpan } from "./charger-smart-intervals.ts";

const DEADLINE = "Time of day, HH:MM in the location's time zone, at which a charging cycle ends";
const DURATION = "Charging time in a cycle, HH:MM";

/** The settings of a charger's smart charging: how long it charges until when (rules I4.4 and S2.5). */
export const ChargerSmartPolicy = z
  .object({
    isEnabled: z.boolean().meta({ description: "`true` while smart charging is switched on for the charger." }),
    deadline: z
      .string()
      .nullable()
      .meta({ description: `${DEADLINE}; \`null\` if none is set.` }),
    chargingDuration: z
      .string()
      .nullable()
      .meta({ description: `${DURATION}; \`null\` if none is set.` }),
  })
  .meta({ id: "ChargerSmartChargingPolicy" });
export type ChargerSmartPolicy = z.infer<typeof ChargerSmartPolicy>;

export const NO_CHARGER_POLICY: ChargerSmartPolicy = { isEnabled: false, deadline: null, chargingDuration: null };

/** The body that changes a policy; fields that are left out stay as they are. */
export const ChargerPolicyUpdate = z
  .strictObject({
    isEnabled: z.boolean().optional().meta({ description: "Switches smart charging on or off." }),
    deadline: HourMinute.nullable()
      .optional()
      .meta({ description: `${DEADLINE}; \`null\` removes it.` }),
    chargingDuration: HourMinute.nullable()
      .optional()
      .meta({ description: `${DURATION}; \`null\` removes it.` }),
  })
  .meta({ id: "ChargerSmartChargingPolicyUpdate" });
export type ChargerPolicyUpdate = z.infer<typeof ChargerPolicyUpdate>;

export const ChargerSmartState = z
  .enum([
    "DISABLED",
    "CHARGER_NOT_REACHABLE",
    "VEHICLE_NOT_PLUGGED_IN",
    "CHARGING_PAUSED",
    "CHARGING",
    "AWAITING_PRICES",
  ])
  .meta({
    description:
      "`DISABLED`: switched off, or `deadline` or `chargingDuration` is missing. `CHARGING`: in a charging interval. `CHARGING_PAUSED`: between intervals. `AWAITING_PRICES`: paused, and prices before the deadline are not known yet.",
  });
export type ChargerSmartState = z.infer<typeof ChargerSmartState>;

/** The status of a charger's smart charging. */
export const ChargerSmartStatus = z
  .object({
    chargerId: z.string().meta({ description: "Id of the charger." }),
    userId: z.string().meta({ description: "User that the charger belongs to." }),
    state: ChargerSmartState,
    chargingIntervals: z
      .array(
        z.object({
          status: z.enum(["IN_PROGRESS", "COMPLETED", "PLANNED"]),
          startTime: Instant.meta({ description: "Start of charging." }),
          endTime: Instant.meta({ description: "End of charging." }),
        }),
      )
      .meta({ description: "Charging intervals of the present cycle, ascending." }),
  })
  .meta({ id: "ChargerSmartChargingStatus" });
export type ChargerSmartStatus = z.infer<typeof ChargerSmartStatus>;

/** Everything that the state of a charger's smart charging depends on. */
export interface ChargerSmartFacts {
  /** The policy is switched on and has a deadline and a duration. */
  readonly isActive: boolean;
  readonly isReachable: boolean;
  /** `null` if not known. */
  readonly isPluggedIn: boolean | null;
  readonly isInInterval: boolean;
  /** A price before the end of the cycle is not known. */
  readonly lacksPrices: boolean;
}

/** Returns the present state: the first condition that holds decides (rule S2.5). */
export function chargerSmartState(facts: ChargerSmartFacts): ChargerSmartState {
  if (!facts.isActive) return "DISABLED";
  if (!facts.isReachable) return "CHARGER_NOT_REACHABLE";
  if (facts.isPluggedIn !== true) return "VEHICLE_NOT_PLUGGED_IN";
  if (facts.isInInterval) return "CHARGING";
  return facts.lacksPrices ? "AWAITING_PRICES" : "CHARGING_PAUSED";
}

/** Converts intervals to those of a status. `nowMs` is wall-clock time. */
export function shownIntervals(spans: readonly ChargeSpan[], nowMs: number): ChargerSmartStatus["chargingIntervals"] {
  return spans.map(({ fromMs, toMs }) => ({
    status: progressOf(fromMs, toMs, nowMs),
    startTime: instant(fromMs),
    endTime: instant(toMs),
  }));
}

function progressOf(fromMs: number, toMs: number, nowMs: number): "IN_PROGRESS" | "COMPLETED" | "PLANNED" {
  if (toMs <= nowMs) return "COMPLETED";
  return fromMs <= nowMs ? "IN_PROGRESS" : "PLANNED";
}
