/**
 * The charge rate limit of a charger, kept by its highest current. The current is chosen for all phases that the charger
 * has, whatever number of them a vehicle uses, so that the limit also holds for the next vehicle.
 */
import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import { controlOf, type KnownDevice } from "../assets/asset-seed.ts";
import { Capability, capability } from "../assets/capability.ts";
import type { PointValues } from "../assets/snapshot.ts";
import { threeDecimals } from "../units.ts";
import type { DesiredSetting, RequestedSetting } from "./action.ts";

/** Says whether a charge rate limit can be set, and in which range. */
export const ChargeRateCapability = Capability.extend({
  range: z
    .object({ min: z.number(), max: z.number() })
    .optional()
    .meta({ description: "Range of the limit, kW, both ends included; absent if no limit can be set." }),
}).meta({ id: "ChargeRateCapability" });
export type ChargeRateCapability = z.infer<typeof ChargeRateCapability>;

/** Lowest voltage that is assumed for a charger, phase to neutral, V. The published range uses it. */
const NOMINAL_VOLTAGE = 230;
/** Number of phases that is assumed for a charger that reports none, so that its limit holds in any case. */
const MOST_PHASES = 3;
/** The control counts as at its upper end within this tolerance, A, because devices round what they receive. */
const CURRENT_TOLERANCE = 0.1;
/** Keeps the rounding error of a division from losing a whole ampere when the quotient is rounded down. */
const ROUNDING_ERROR = 1e-9;

const PHASES = ["l1", "l2", "l3"] as const;

/** Returns the limits that a charger with these points and controls can keep, kW. */
export function chargeRateCapability(device: Pick<KnownDevice, "controls" | "points">): ChargeRateCapability {
  const range = currentRange(device);
  if (range === null) return capability(false);
  const nominal = kilowattsPerAmpere(device.points);
  return {
    ...capability(true),
    range: { min: threeDecimals(range.min * nominal), max: threeDecimals(range.max * nominal) },
  };
}

/**
 * Returns the limit that the charger's present maximum current stands for, kW at 230 V; `null` if there is no limit or the
 * current is not known.
 */
export function shownChargeRateLimit({ range }: ChargeRateCapability, values: Readonly<PointValues>): number | null {
  const current = values["charger.maxCurrent"] ?? null;
  if (range === undefined || current === null) return null;
  const perAmpere = kilowattsPerAmpere(Object.keys(values));
  return (current + CURRENT_TOLERANCE) * perAmpere >= range.max ? null : threeDecimals(current * perAmpere);
}

/**
 * Returns the setting with the current that keeps its charge rate limit: whole amperes, rounded down, at the voltage that
 * the charger measures if that is above 230 V. Without a limit it is the highest current that the charger takes.
 */
export function resolveSetting(
  setting: RequestedSetting,
  device: Pick<KnownDevice, "controls" | "points">,
  values: Readonly<PointValues>,
): DesiredSetting {
  if (!("chargeRateLimit" in setting) || "maxCurrent" in setting) return setting;
  const { chargeRateLimit } = setting;
  if (chargeRateLimit === null) return { ...setting, maxCurrent: currentRange(device)?.max ?? 0 };
  const volts = PHASES.map((phase) => values[`charger.voltage.${phase}`] ?? 0);
  const perAmpere = kilowattsPerAmpere(device.points, Math.max(NOMINAL_VOLTAGE, ...volts));
  return { ...setting, maxCurrent: Math.floor(chargeRateLimit / perAmpere + ROUNDING_ERROR) };
}

/** Returns why a charger cannot keep the limit (kW) with the current (A), as a sentence; `null` if it can. */
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
    return `The charge rate limit of this charger must be between ${range.min} and ${range.max} kW.`;
  }
  if (maxCurrent >= currents.min) return null;
  return `At the present voltage ${chargeRateLimit} kW is ${maxCurrent} A; this charger needs at least ${currents.min} A. Set a higher limit, or stop charging.`;
}

function currentRange(device: Pick<KnownDevice, "controls">): { readonly min: number; readonly max: number } | null {
  return controlOf(device, "charger.maxCurrent")?.range ?? null;
}

/** Returns the power of one ampere on each phase, kW, at a voltage between phase and neutral. */
function kilowattsPerAmpere(points: readonly string[], volts = NOMINAL_VOLTAGE): number {
  return (phasesAmong(points) * volts) / 1_000;
}

/** Counts the phases that the charger measures, also those without a current now. */
function phasesAmong(points: readonly string[]): number {
  const known = new Set(points);
  const has = (point: PointName): boolean => known.has(point);
  const shown = PHASES.filter((phase) => has(`charger.voltage.${phase}`) || has(`charger.current.${phase}`));
  return shown.length === 0 ? MOST_PHASES : shown.length;
}
