import { z } from "zod";
import { Instant, instant } from "../fields.ts";
import { HourMinute } from "../hour-minute.ts";
import type { ChargeSpan } from "./charger-smart-intervals.ts";

/** How long and until when a charger charges, in the cheapest hours (rules I4.4 and S2.5). */
export const ChargerSmartPolicy = z
  .object({
    isEnabled: z.boolean(),
    deadline: z.string().nullable().meta({ description: "HH:MM in the location's zone at which a cycle ends." }),
    chargingDuration: z.string().nullable().meta({ description: "HH:MM of charging in a cycle." }),
  })
  .meta({ id: "ChargerSmartChargingPolicy" });
export type ChargerSmartPolicy = z.infer<typeof ChargerSmartPolicy>;

export const NO_CHARGER_POLICY: ChargerSmartPolicy = { isEnabled: false, deadline: null, chargingDuration: null };

/** What a policy's update may say; what is left out stays. */
export const ChargerPolicyUpdate = z
  .strictObject({
    isEnabled: z.boolean().optional(),
    deadline: HourMinute.nullable().optional().meta({ description: "HH:MM in the location's zone." }),
    chargingDuration: HourMinute.nullable().optional().meta({ description: "HH:MM." }),
  })
  .meta({ id: "ChargerSmartChargingPolicyUpdate" });
export type ChargerPolicyUpdate = z.infer<typeof ChargerPolicyUpdate>;

export const ChargerSmartState = z.enum([
  "DISABLED",
  "CHARGER_NOT_REACHABLE",
  "VEHICLE_NOT_PLUGGED_IN",
  "CHARGING_PAUSED",
  "CHARGING",
  "AWAITING_PRICES",
]);
export type ChargerSmartState = z.infer<typeof ChargerSmartState>;

export const ChargerSmartStatus = z
  .object({
    chargerId: z.string(),
    userId: z.string(),
    state: ChargerSmartState,
    chargingIntervals: z.array(
      z.object({ status: z.enum(["IN_PROGRESS", "COMPLETED", "PLANNED"]), startTime: Instant, endTime: Instant }),
    ),
  })
  .meta({ id: "ChargerSmartChargingStatus" });
export type ChargerSmartStatus = z.infer<typeof ChargerSmartStatus>;

/** What a charger's state depends on. */
export interface ChargerSmartFacts {
  /** The policy is on and says both until when and for how long. */
  readonly isActive: boolean;
  readonly isReachable: boolean;
  /** Null while it cannot be told. */
  readonly isPluggedIn: boolean | null;
  readonly isInInterval: boolean;
  /** The price of some hour until the end of the cycle is unknown. */
  readonly lacksPrices: boolean;
}

/** The state of the moment: the first condition that holds (rule S2.5). */
export function chargerSmartState(facts: ChargerSmartFacts): ChargerSmartState {
  if (!facts.isActive) return "DISABLED";
  if (!facts.isReachable) return "CHARGER_NOT_REACHABLE";
  if (facts.isPluggedIn !== true) return "VEHICLE_NOT_PLUGGED_IN";
  if (facts.isInInterval) return "CHARGING";
  return facts.lacksPrices ? "AWAITING_PRICES" : "CHARGING_PAUSED";
}

/** Intervals as a status shows them. */
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
