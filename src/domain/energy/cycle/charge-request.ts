/** What a charger is asked for, before any limit: the part that is asked in any case, and whether surplus comes on top. */
import type { ChargerState } from "./charger-state.ts";
import { NOMINAL_V } from "./cycle-timing.ts";
import type { Reason, ReasonCode } from "./energy-decision.ts";
import { finite } from "./grid-reading.ts";
import { leastSurplusA, toStep } from "./surplus.ts";

export interface ChargeRequest {
  /** A that are asked whatever the sun does; 0: none. */
  readonly firmA: number;
  /** The same as a power, whatever number of phases takes it, W; `Infinity`: as much as there is. */
  readonly firmW: number;
  /** Surplus is added up to `maxA`. */
  readonly takesSurplus: boolean;
  readonly maxA: number;
  /** Somebody asked for it now: minimum times of the automatic modes do not apply. */
  readonly isDirect: boolean;
  readonly reason: Reason;
}

/** The request of the one who is in charge of a charger. */
export function chargeRequest(charger: ChargerState): ChargeRequest {
  const { ask } = charger.view;
  if (!charger.isPlugged) return { ...NOTHING, reason: reasonOf("nothing-to-do") };
  switch (ask.by) {
    case "device":
      return nativeRequest(charger);
    case "person":
    case "schedule":
    case "smart-charging": {
      const maxA = Math.min(finite(ask.maxA) ?? charger.maxA, charger.maxA);
      // Below the least current of the standard there is nothing between off and that current.
      const firmA = ask.isOn ? toStep(charger, Math.max(maxA, charger.minA), charger.maxA) : 0;
      const firmW = ask.isOn ? Number.POSITIVE_INFINITY : 0;
      return { firmA, firmW, takesSurplus: false, maxA: firmA, isDirect: true, reason: reasonOf(ask.by) };
    }
    case "energy":
      return modeRequest(charger, ask);
    default:
      return ask satisfies never;
  }
}

const NOTHING = { firmA: 0, firmW: 0, takesSurplus: false, maxA: 0, isDirect: true } as const;

function reasonOf(code: ReasonCode, untilMs: number | null = null): Reason {
  return { code, subject: null, untilMs };
}

/** What others set: what the charger does, or what it did before the guard lowered it. */
export function nativeSetting({ isOn, offerA, followA, isInFlight, memory }: ChargerState): {
  readonly isOn: boolean;
  readonly currentA: number;
} {
  const { native, command } = memory;
  if (native === null || isInFlight || command === null) return native ?? { isOn, currentA: offerA };
  // Somebody else changed it meanwhile.
  if (command.isOn && !isOn) return { ...native, isOn: false };
  const isChanged = isOn && command.isOn && Math.abs(offerA - command.currentA) >= followA;
  return isChanged ? { isOn, currentA: offerA } : native;
}

function nativeRequest(charger: ChargerState): ChargeRequest {
  const native = nativeSetting(charger);
  const firmA = native.isOn ? native.currentA : 0;
  return { firmA, firmW: 0, takesSurplus: false, maxA: firmA, isDirect: true, reason: reasonOf("nothing-to-do") };
}

function modeRequest(
  charger: ChargerState,
  ask: Extract<ChargerState["view"]["ask"], { readonly by: "energy" }>,
): ChargeRequest {
  const { minA, maxA, phases } = charger;
  const leastA = leastSurplusA(charger);
  switch (ask.mode) {
    case "OFF":
      return { ...NOTHING, reason: reasonOf("mode-off") };
    case "FAST":
      return {
        firmA: maxA,
        firmW: Number.POSITIVE_INFINITY,
        takesSurplus: false,
        maxA,
        isDirect: true,
        reason: reasonOf("fast"),
      };
    case "MIN_SURPLUS":
      return {
        firmA: leastA,
        firmW: leastA * NOMINAL_V,
        takesSurplus: true,
        maxA,
        isDirect: true,
        reason: reasonOf("minimum"),
      };
    case "SURPLUS":
      return { firmA: 0, firmW: 0, takesSurplus: true, maxA, isDirect: false, reason: reasonOf("surplus") };
    case "PLANNED": {
      if (ask.isWarm === true)
        return { firmA: 0, firmW: 0, takesSurplus: true, maxA: 0, isDirect: false, reason: reasonOf("warm-enough") };
      const plannedW = finite(ask.plannedW);
      if (plannedW === null || plannedW <= 0) {
        const code = plannedW === null ? "surplus" : "plan-waits";
        const reason = reasonOf(code, ask.plannedUntilMs);
        return { firmA: 0, firmW: 0, takesSurplus: true, maxA, isDirect: false, reason };
      }
      const plannedA = toStep(charger, Math.max(minA, plannedW / NOMINAL_V / phases.length), maxA);
      const reason = reasonOf("plan", ask.plannedUntilMs);
      return { firmA: plannedA, firmW: plannedW, takesSurplus: true, maxA, isDirect: false, reason };
    }
    default:
      return ask.mode satisfies never;
  }
}
