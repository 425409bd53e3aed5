/** The record of a limitation: what was demanded, and what was measured meanwhile. Pure. */
import { HOUR_MS } from "../../duration.ts";
import type { LimitState } from "./limit-machine.ts";

/** A measurement older than this says nothing about the time before a limit, ms. */
const FRESH_MS = 30_000;
/** A longer pause between two measurements is not counted as measured, ms. */
const LONGEST_STEP_MS = 60_000;

/** What the control cycle measured at a moment. W; `null` is not known. */
export interface MeasuredPower {
  /** Monotonic ms. */
  readonly atMs: number;
  /** At the connection; positive on import. */
  readonly gridW: number | null;
  /** Net import of the controllable devices together. */
  readonly controllableW: number | null;
  /** Of single devices, to be kept with the beginning of a limitation. */
  readonly devices?: readonly { readonly id: string; readonly powerW: number }[];
}

/** How the house reacted. Powers are in the direction of the limit: import, or feed-in, W. */
export interface LimitReaction {
  /** Power when the limitation began; `null` if it was not measured. */
  readonly powerBeforeW: number | null;
  /** Power of single devices then, W. */
  readonly devicesBefore: readonly { readonly id: string; readonly powerW: number }[];
  /** Ms from the beginning until the power was first within the limit; `null` if it was not yet. */
  readonly reachedAfterMs: number | null;
  /** Measured energy, Wh. */
  readonly energyWh: number;
  /** Highest power after the limit was first reached, or from the beginning while it was not; `null` if not measured. */
  readonly highestW: number | null;
  /** How long the power was measured, ms. */
  readonly measuredMs: number;
}

export const NO_REACTION: LimitReaction = {
  powerBeforeW: null,
  devicesBefore: [],
  reachedAfterMs: null,
  energyWh: 0,
  highestW: null,
  measuredMs: 0,
};

/** What a limitation limits. */
export interface Limited {
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
  readonly watts: number;
  /** Monotonic ms. */
  readonly beganAtMs: number;
}

/** Why a limitation is over. `changed`: another value or state followed. */
export type LimitationEnd = "released" | "expired" | "changed" | "withdrawn" | "restart";

/** A limitation as the API lists it. */
export interface Limitation {
  readonly id: string;
  readonly sourceId: string;
  readonly sourceName: string;
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
  /** The state of the source: `failsafe` and `unknown` mean that the value is the failsafe value. */
  readonly state: LimitState;
  readonly watts: number;
  /** Wall-clock ms. */
  readonly beganAtMs: number;
  /** Wall-clock ms; `null` while it lasts. */
  readonly endedAtMs: number | null;
  readonly endReason: LimitationEnd | null;
  readonly reaction: LimitReaction;
}

/** The power that a limit is about, in its direction; `null` if it is not known. */
function limitedPowerW(limited: Pick<Limited, "direction" | "scope">, measured: MeasuredPower): number | null {
  const { gridW, controllableW } = measured;
  const powerW = limited.scope === "controllable" ? controllableW : gridW;
  if (powerW === null) return null;
  return Math.max(0, limited.direction === "import" ? powerW : -powerW);
}

/** The reaction when a limitation begins, from the last measurement before it. */
export function reactionAtBegin(limited: Limited, last: MeasuredPower | null): LimitReaction {
  if (last === null || limited.beganAtMs - last.atMs > FRESH_MS) return NO_REACTION;
  const powerW = limitedPowerW(limited, last);
  return { ...NO_REACTION, powerBeforeW: powerW, devicesBefore: last.devices ?? [] };
}

/** The reaction with one more measurement; `previous` is the one before it. */
export function withMeasurement(
  reaction: LimitReaction,
  limited: Limited,
  measured: MeasuredPower,
  previous: MeasuredPower | null,
): LimitReaction {
  const powerW = limitedPowerW(limited, measured);
  // A meter that is silent since before the limit shows nothing of what came after it.
  if (powerW === null || limited.beganAtMs - measured.atMs > FRESH_MS) return reaction;
  const isFirstWithin = reaction.reachedAfterMs === null && powerW <= limited.watts;
  const fromMs = Math.max(limited.beganAtMs, previous?.atMs ?? limited.beganAtMs);
  const stepMs = Math.max(0, measured.atMs - fromMs);
  const countedMs = stepMs > LONGEST_STEP_MS ? 0 : stepMs;
  const highestW = isFirstWithin ? powerW : Math.max(powerW, reaction.highestW ?? 0);
  return {
    ...reaction,
    powerBeforeW: reaction.powerBeforeW ?? powerW,
    reachedAfterMs: isFirstWithin ? Math.max(0, measured.atMs - limited.beganAtMs) : reaction.reachedAfterMs,
    energyWh: reaction.energyWh + (powerW * countedMs) / HOUR_MS,
    highestW,
    measuredMs: reaction.measuredMs + countedMs,
  };
}
