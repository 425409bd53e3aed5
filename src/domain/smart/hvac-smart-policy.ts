import { z } from "zod";
import type { HvacTarget } from "../actions/action.ts";
import type { Hvac, TemperatureRange } from "../assets/hvac.ts";

/** Whether a unit heats a little more while that is cheap and a little less while it is dear (rule S2.6). */
export const HvacSmartPolicy = z.object({ isEnabled: z.boolean() }).meta({ id: "HvacSmartPolicy" });
export type HvacSmartPolicy = z.infer<typeof HvacSmartPolicy>;

export const NO_HVAC_POLICY: HvacSmartPolicy = { isEnabled: false };

export const HvacPolicyUpdate = z
  .strictObject({ isEnabled: z.boolean().optional() })
  .meta({ id: "HvacSmartPolicyUpdate" });
export type HvacPolicyUpdate = z.infer<typeof HvacPolicyUpdate>;

export const HvacSmartStatus = z
  .object({
    hvacId: z.string(),
    userId: z.string(),
    intervals: z
      .array(
        z.object({
          from: z.string().meta({ description: "HH:MM in the location's zone." }),
          to: z.string().meta({ description: "HH:MM; 24:00 closes the day." }),
          heatSetpoint: z.number().meta({ description: "Degrees Celsius." }),
        }),
      )
      .meta({ description: "The day's setpoints; empty without a policy, a setpoint or prices." }),
  })
  .meta({ id: "HvacSmartStatus" });
export type HvacSmartStatus = z.infer<typeof HvacSmartStatus>;

/** A part of the day with the degrees by which the setpoint is moved: +1, 0 or −1. */
export interface HvacSmartSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly shift: number;
}

/** What the user had set before the policy moved it, and what is put back. */
export interface HvacBase {
  readonly holdType: "PERMANENT" | "SCHEDULED";
  readonly mode: "HEAT" | "AUTO";
  readonly heatSetpoint: number;
  /** Null unless AUTO. */
  readonly coolSetpoint: number | null;
}

/** What the unit shows, as a base; null while it neither heats nor may heat, or does not tell. */
export function baseOf({ thermostatState }: Pick<Hvac, "thermostatState">): HvacBase | null {
  const { mode, heatSetpoint, coolSetpoint, holdType } = thermostatState;
  if ((mode !== "HEAT" && mode !== "AUTO") || heatSetpoint === null) return null;
  if (mode === "AUTO" && coolSetpoint === null) return null;
  return { holdType: holdType ?? "PERMANENT", mode, heatSetpoint, coolSetpoint: mode === "AUTO" ? coolSetpoint : null };
}

/** The heat setpoint moved by some degrees, as far as the unit's range lets it. */
export function shiftedSetpoint(base: HvacBase, shift: number, range: TemperatureRange | null): number {
  const { min, max } = range ?? { min: null, max: null };
  const wished = base.heatSetpoint + shift;
  return Math.min(Math.max(wished, min ?? wished), max ?? Math.max(wished, min ?? wished));
}

/** Cooling stands above heating at least by this, °C. */
const LEAST_DISTANCE_C = 0.5;

/** The hold that gives the setpoint; in AUTO the cooling setpoint keeps its distance, as far as its range lets it. */
export function holdAt(base: HvacBase, heatSetpoint: number, capabilities: Hvac["capabilities"]): HvacTarget {
  if (base.mode === "HEAT" || base.coolSetpoint === null) return { holdType: "PERMANENT", mode: "HEAT", heatSetpoint };
  const { min, max } = capabilities.setpointDifferenceRange ?? { min: null, max: null };
  const least = heatSetpoint + Math.max(min ?? 0, LEAST_DISTANCE_C);
  const coolSetpoint = Math.min(Math.max(base.coolSetpoint, least), heatSetpoint + (max ?? Number.POSITIVE_INFINITY));
  return { holdType: "PERMANENT", mode: "AUTO", heatSetpoint, coolSetpoint };
}

/** What puts back what the user had set. */
export function restoring(base: HvacBase, capabilities: Hvac["capabilities"]): HvacTarget {
  return base.holdType === "SCHEDULED" ? { holdType: "SCHEDULED" } : holdAt(base, base.heatSetpoint, capabilities);
}
