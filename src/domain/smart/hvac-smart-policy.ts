import { z } from "zod";
import type { HvacTarget } from "../actions/action.ts";
import type { Hvac, TemperatureRange } from "../assets/hvac.ts";

/** The smart policy of an HVAC unit: it heats more while energy is cheap and less while it is expensive (rule S2.6). */
export const HvacSmartPolicy = z
  .object({ isEnabled: z.boolean().meta({ description: "`true` while the policy is switched on for the unit." }) })
  .meta({
    id: "HvacSmartPolicy",
    description: "The unit heats 1 °C more while energy is cheap and 1 °C less while it is expensive.",
  });
export type HvacSmartPolicy = z.infer<typeof HvacSmartPolicy>;

export const NO_HVAC_POLICY: HvacSmartPolicy = { isEnabled: false };

/** The body that changes a policy; fields that are left out stay as they are. */
export const HvacPolicyUpdate = z
  .strictObject({ isEnabled: z.boolean().optional().meta({ description: "Switches the policy on or off." }) })
  .meta({ id: "HvacSmartPolicyUpdate" });
export type HvacPolicyUpdate = z.infer<typeof HvacPolicyUpdate>;

/** The status of a unit's smart policy. */
export const HvacSmartStatus = z
  .object({
    hvacId: z.string().meta({ description: "Id of the HVAC unit." }),
    userId: z.string().meta({ description: "User that the unit belongs to." }),
    intervals: z
      .array(
        z.object({
          from: z.string().meta({ description: "Start, HH:MM in the location's time zone, inclusive." }),
          to: z.string().meta({
            description: "End, HH:MM in the location's time zone, exclusive; `24:00` is the end of the day.",
          }),
          heatSetpoint: z.number().meta({ description: "Temperature below which the unit heats, °C." }),
        }),
      )
      .meta({
        description: "Setpoints of the present day; empty without an enabled policy, a heat setpoint or prices.",
      }),
  })
  .meta({ id: "HvacSmartStatus" });
export type HvacSmartStatus = z.infer<typeof HvacSmartStatus>;

/** A part of the day with the shift of the setpoint, °C: +1, 0 or −1. Times are wall-clock ms. */
export interface HvacSmartSpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly shift: number;
}

/** The user's setting before the policy shifted it. It is restored when the policy ends. */
export interface HvacBase {
  readonly holdType: "PERMANENT" | "SCHEDULED";
  readonly mode: "HEAT" | "AUTO";
  /** °C. */
  readonly heatSetpoint: number;
  /** °C; `null` unless the mode is AUTO. */
  readonly coolSetpoint: number | null;
}

/** Returns the unit's present setting as a base; `null` if the unit is not set to heat, or does not report its setpoints. */
export function baseOf({ thermostatState }: Pick<Hvac, "thermostatState">): HvacBase | null {
  const { mode, heatSetpoint, coolSetpoint, holdType } = thermostatState;
  if ((mode !== "HEAT" && mode !== "AUTO") || heatSetpoint === null) return null;
  if (mode === "AUTO" && coolSetpoint === null) return null;
  return { holdType: holdType ?? "PERMANENT", mode, heatSetpoint, coolSetpoint: mode === "AUTO" ? coolSetpoint : null };
}

/** Returns the heat setpoint shifted by some degrees within the unit's range, °C. */
export function shiftedSetpoint(base: HvacBase, shift: number, range: TemperatureRange | null): number {
  const { min, max } = range ?? { min: null, max: null };
  const shifted = base.heatSetpoint + shift;
  return Math.min(Math.max(shifted, min ?? shifted), max ?? Math.max(shifted, min ?? shifted));
}

/** The cooling setpoint is at least this far above the heating setpoint, °C. */
const LEAST_DISTANCE_C = 0.5;

/** Returns the hold with the heat setpoint, °C; in AUTO the cool setpoint keeps the unit's least and greatest distance. */
export function holdAt(base: HvacBase, heatSetpoint: number, capabilities: Hvac["capabilities"]): HvacTarget {
  if (base.mode === "HEAT" || base.coolSetpoint === null) return { holdType: "PERMANENT", mode: "HEAT", heatSetpoint };
  const { min, max } = capabilities.setpointDifferenceRange ?? { min: null, max: null };
  const least = heatSetpoint + Math.max(min ?? 0, LEAST_DISTANCE_C);
  const coolSetpoint = Math.min(Math.max(base.coolSetpoint, least), heatSetpoint + (max ?? Number.POSITIVE_INFINITY));
  return { holdType: "PERMANENT", mode: "AUTO", heatSetpoint, coolSetpoint };
}

/** Returns the target that restores the user's setting. */
export function restoring(base: HvacBase, capabilities: Hvac["capabilities"]): HvacTarget {
  return base.holdType === "SCHEDULED" ? { holdType: "SCHEDULED" } : holdAt(base, base.heatSetpoint, capabilities);
}
