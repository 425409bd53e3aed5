/** Chargers that have a separate switch beside the limit. */
import type { ProfileControl, ProfileFormula, Provenance, WriteStep } from "hemgate/sdk";

/** The switch as it is: 0 or 1. */
export function shownSwitch(key: `raw.${string}`): ProfileFormula {
  return {
    point: "charger.enabled",
    value: { lookup: { of: key }, values: { 0: false, 1: true }, otherwise: null },
  };
}

/** Start and stop by one write of 1 or 0. */
export function switchControl({ step, ...trust }: Provenance & { step(value: 0 | 1): WriteStep }): ProfileControl {
  return {
    point: "charger.enabled",
    // A stop of the gateway must not let a vehicle charge that was stopped.
    safeDefault: null,
    write: {
      cases: [
        { value: true, steps: [step(1)] },
        { value: false, steps: [step(0)] },
      ],
    },
    ...trust,
  };
}
