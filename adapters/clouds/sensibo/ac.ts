import type { HvacMode } from "hemgate/sdk";
import { lookup } from "../kit/device/lookup.ts";
import { fitting } from "../kit/device/parsed.ts";
import { type AcState, ModeCapabilities, type Pod } from "./schemas.ts";

const MODES: Readonly<Record<string, HvacMode>> = { cool: "COOL", heat: "HEAT", auto: "AUTO" };
const WORDS = { COOL: "cool", HEAT: "heat" } as const;
type HoldTarget = keyof typeof WORDS;

/** Settings beside the temperature, with the name under which a mode's capabilities list their values. */
const EXTRAS = [
  ["fanLevel", "fanLevels"],
  ["swing", "swing"],
  ["horizontalSwing", "horizontalSwing"],
  ["light", "light"],
] as const;
/** What is chosen where the unit is not set to anything that the mode takes. */
const PREFERRED = ["auto", "stopped"];

/** Dry and fan have no equal; so have modes that are made later. */
export function modeOf(state: AcState | null): HvacMode {
  if (state?.on === false) return "OFF";
  return state?.on === true ? (lookup(MODES, state.mode) ?? "UNKNOWN") : "UNKNOWN";
}

interface Range {
  readonly min: number;
  readonly max: number;
}

/** `degrees`: the unit's own. */
export function isWithin(degrees: number, { min, max }: Range, isF: boolean): boolean {
  const celsius = celsiusOf(degrees, isF) ?? Number.NaN;
  return celsius >= min && celsius <= max;
}

export function isFahrenheit({ acState, temperatureUnit }: Pod): boolean {
  return (acState?.temperatureUnit ?? temperatureUnit) === "F";
}

/** °C of the unit's own degrees. */
export function celsiusOf(degrees: number | null, isF: boolean): number | null {
  if (degrees === null) return null;
  return isF ? Number((((degrees - 32) * 5) / 9).toFixed(2)) : degrees;
}

function capabilitiesOf({ remoteCapabilities }: Pod, mode: HoldTarget): ModeCapabilities | null {
  return fitting(ModeCapabilities, [remoteCapabilities?.modes[WORDS[mode]]])[0] ?? null;
}

/** Purifiers and other things without a mode that heats or cools are no HVAC units. */
export function isHvac({ remoteCapabilities }: Pod): boolean {
  return Object.keys(remoteCapabilities?.modes ?? {}).some((mode) => lookup(MODES, mode) !== null);
}

/** The setpoints that a mode takes, °C; null: it takes none. */
export function rangeOf(pod: Pod, mode: HoldTarget): { min: number; max: number } | null {
  const isF = isFahrenheit(pod);
  const values = allowedIn(pod, mode, isF).map((value) => celsiusOf(value, isF) ?? value);
  return values.length === 0 ? null : { min: Math.min(...values), max: Math.max(...values) };
}

/**
 * The whole state to send: what the unit is set to, as far as the mode takes it, with the mode and its setpoint. `range`,
 * °C: what the unit took when it was opened; null when the list of today has nothing within it.
 */
export function holdState(
  pod: Pod,
  { mode, celsius, range }: { readonly mode: HoldTarget; readonly celsius: number; readonly range: Range },
): Readonly<Record<string, unknown>> | null {
  const isF = isFahrenheit(pod);
  const target = isF ? (celsius * 9) / 5 + 32 : celsius;
  const allowed = allowedIn(pod, mode, isF);
  const within = allowed.filter((value) => isWithin(value, range, isF));
  const nearest = within.toSorted((a, b) => Math.abs(a - target) - Math.abs(b - target))[0];
  if (nearest === undefined && allowed.length > 0) return null;
  const state: Record<string, unknown> = {
    on: true,
    mode: WORDS[mode],
    targetTemperature: nearest ?? Math.round(target),
    temperatureUnit: isF ? "F" : "C",
  };
  for (const [name, listed] of EXTRAS) {
    const taken: unknown = capabilitiesOf(pod, mode)?.[listed];
    if (!Array.isArray(taken)) continue;
    const value: unknown = [pod.acState?.[name], ...PREFERRED, taken[0]].find((each) => taken.includes(each));
    if (value !== undefined) state[name] = value;
  }
  return state;
}

function allowedIn(pod: Pod, mode: HoldTarget, isF: boolean): readonly number[] {
  const { C, F } = capabilitiesOf(pod, mode)?.temperatures ?? { C: null, F: null };
  return (isF ? F : C)?.values ?? [];
}
