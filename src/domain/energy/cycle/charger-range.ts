import { LEAST_CHARGE_A, NOMINAL_V } from "./cycle-timing.ts";
import type { ChargerView } from "./energy-snapshot.ts";
import { finite } from "./grid-reading.ts";

/** The step of a charger of which no other is known, A; the sun changes none by less. */
export const WHOLE_A = 1;
/** What a charger that reports no range is assumed to draw. */
const DEFAULT_A = 16;

/** The currents that a charger can be set to, A, and its steps. `phases`: how many it uses. */
export function rangeOf(view: ChargerView, drawA: number | null, phases: number) {
  const { range, offeredA, switched } = view;
  if (switched !== undefined) {
    // It may take more than it is said to, such as a heat pump with its heating rod.
    const fixedA = Math.max(switched.powerW / NOMINAL_V / Math.max(1, phases), drawA ?? 0);
    return { minA: fixedA, maxA: fixedA, stepA: fixedA, followA: fixedA };
  }
  if (range !== null) {
    const minA = view.isHeater === true ? range.minA : Math.max(LEAST_CHARGE_A, range.minA);
    const stepA = range.stepA > 0 ? range.stepA : WHOLE_A;
    return { minA, maxA: range.maxA, stepA, followA: view.isHeater === true ? stepA : Math.max(stepA, WHOLE_A) };
  }
  const fixedA = Math.max(LEAST_CHARGE_A, finite(offeredA) ?? Math.max(DEFAULT_A, drawA ?? 0));
  return { minA: fixedA, maxA: fixedA, stepA: WHOLE_A, followA: WHOLE_A };
}
