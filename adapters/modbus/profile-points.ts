/** Short forms in which profiles with long tables are written. They make plain data. */
import type { Formula, Provenance, WriteField, WriteStep } from "hemgate/sdk";
import { MAX_CHARGE, MAX_DISCHARGE } from "./profile-parts.ts";

export function crossChecked(source: string): Provenance {
  return { confidence: "cross-checked", source };
}

export function singleSource(source: string): Provenance {
  return { confidence: "single-source", source };
}

/** Put together from what the registers mean; no driver in use is known to write them so. */
export function derivedFrom(source: string): Provenance {
  return { confidence: "derived", source };
}

/** A step that writes one 16-bit register with function 6. */
export function register(address: number, value: Formula, scale = 1): WriteStep {
  return { address, code: 6, fields: [{ type: "uint16", ...(scale === 1 ? {} : { scale }), value }] };
}

/** A step that writes one value with function 16. */
export function registers(address: number, type: WriteField["type"], value: Formula): WriteStep {
  return { address, code: 16, fields: [{ type, value }] };
}

/** The step, for registers in memory that wears. */
export function stored(step: WriteStep): WriteStep {
  return { ...step, isStored: true };
}

/** What was taken less what was given back, each counted as positive by a register of its own. */
export function difference(plus: string, minus: string): Formula {
  return { minus: [{ of: plus }, { of: minus }] };
}

/** Devices that give set points up by themselves tell nothing of them: what was not written, or is over, is not held. */
export const MODE_AS_WRITTEN: Formula = { first: [{ lastWrite: "battery.mode" }, "SELF_RELIANCE"] };

/** The powers of forced charging and discharging. */
export const FORCED_POWER = { maxChargeW: MAX_CHARGE, maxDischargeW: MAX_DISCHARGE } as const;

/** States of charge for batteries that are told by programs what to keep. */
export const SOC_RANGE = {
  minSoc: { unit: "%", meaning: "State of charge that the battery keeps", min: 0, max: 100, default: 20 },
  maxSoc: { unit: "%", meaning: "State of charge up to which the grid may charge", min: 0, max: 100, default: 95 },
} as const;
