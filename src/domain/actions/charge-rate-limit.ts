/**
 * A charger's most power, kept by the most current that it offers. The current is never more than the limit allows on
 * every phase that the charger has, whatever number of them a vehicle uses, so that it also holds for the next vehicle.
 */
import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import { controlOf, type KnownDevice } from "../assets/asset-seed.ts";
import { Capability, capability } from "../assets/capability.ts";
import type { PointValues } from "../assets/snapshot.ts";
import { tidy } from "../units.ts";
import type { ActionWish, AskedWish } from "./action.ts";

/** Whether a charge rate limit can be set, and to what. */
export const ChargeRateCapability = Capability.extend({
  range: z
    .object({ min: z.number(), max: z.number() })
    .optional()
    .meta({ description: "The limits that can be set, kW, both ends included." }),
}).meta({ id: "ChargeRateCapability" });
export type ChargeRateCapability = z.infer<typeof ChargeRateCapability>;

/** V, phase to neutral: what a charger is taken to have at least, and what its range is told for. */
const NOMINAL_VOLTAGE = 230;
/** A charger that shows no phases is taken to have as many as there are: its limit then holds in any case. */
const MOST_PHASES = 3;
/** The control is at its end within this much, A: devices round what they are given. */
const CURRENT_TOLERANCE = 0.1;
/** Takes the float dust of a division off before it is rounded down. */
const DUST = 1e-9;

const PHASES = ["l1", "l2", "l3"] as const;

/** What a charger with these points and controls can be limited to. */
export function chargeRateCapability(device: Pick<KnownDevice, "controls" | "points">): ChargeRateCapability {
  const range = currentRange(device);
  if (range === null) return capability(false);
  const nominal = kilowattsPerAmpere(device.points);
  return { ...capability(true), range: { min: tidy(range.min * nominal), max: tidy(range.max * nominal) } };
}

/** The limit that the shown current amounts to, kW at the nominal voltage; null when there is none, or it is unknown. */
export function shownChargeRateLimit({ range }: ChargeRateCapability, values: Readonly<PointValues>): number | null {
  const current = values["charger.maxCurrent"] ?? null;
  if (range === undefined || current === null) return null;
  const perAmpere = kilowattsPerAmpere(Object.keys(values));
  return (current + CURRENT_TOLERANCE) * perAmpere >= range.max ? null : tidy(current * perAmpere);
}

/**
 * The wish with the current that keeps the limit: whole amperes, rounded down, at the voltage that the charger shows
 * where that is above the nominal one. No limit is the most that the control takes.
 */
export function settledWish(
  wish: AskedWish,
  device: Pick<KnownDevice, "controls" | "points">,
  values: Readonly<PointValues>,
): ActionWish {
  if (!("chargeRateLimit" in wish) || "maxCurrent" in wish) return wish;
  const { chargeRateLimit } = wish;
  if (chargeRateLimit === null) return { ...wish, maxCurrent: currentRange(device)?.max ?? 0 };
  const volts = PHASES.map((phase) => values[`charger.voltage.${phase}`] ?? 0);
  const perAmpere = kilowattsPerAmpere(device.points, Math.max(NOMINAL_VOLTAGE, ...volts));
  return { ...wish, maxCurrent: Math.floor(chargeRateLimit / perAmpere + DUST) };
}

/** Why a charger cannot keep a limit with a current, in words; null when it can. */
export function chargeRateFault(
  { chargeRateLimit, maxCurrent }: { readonly chargeRateLimit: number | null; readonly maxCurrent: number },
  device: Pick<KnownDevice, "controls">,
  { range }: ChargeRateCapability,
): string | null {
  const currents = controlOf(device, "charger.maxCurrent")?.range;
  if (range === undefined || currents === undefined) {
    return "This charger does not offer this command; its capabilities say what it can do.";
  }
  if (chargeRateLimit === null) return null;
  if (chargeRateLimit < range.min || chargeRateLimit > range.max) {
    return `The charge rate limit of this charger is set from ${range.min} to ${range.max} kW.`;
  }
  if (maxCurrent >= currents.min) return null;
  return `At the voltage of this moment ${chargeRateLimit} kW is ${maxCurrent} A; this charger is set from ${currents.min} A.`;
}

function currentRange(device: Pick<KnownDevice, "controls">): { readonly min: number; readonly max: number } | null {
  return controlOf(device, "charger.maxCurrent")?.range ?? null;
}

/** kW that one ampere a phase amounts to, at a voltage between phase and neutral. */
function kilowattsPerAmpere(points: readonly string[], volts = NOMINAL_VOLTAGE): number {
  return (phasesAmong(points) * volts) / 1_000;
}

/** The phases that a charger measures, whether or not something flows there now. */
function phasesAmong(points: readonly string[]): number {
  const known = new Set(points);
  const has = (point: PointName): boolean => known.has(point);
  const shown = PHASES.filter((phase) => has(`charger.voltage.${phase}`) || has(`charger.current.${phase}`));
  return shown.length === 0 ? MOST_PHASES : shown.length;
}
