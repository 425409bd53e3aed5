import type { OperationMode } from "hemgate/sdk";

/**
 * The window that model 124 keeps the battery's power in: at most `inPct` of charging and at most `outPct` of
 * discharging, each only while its bit of `StorCtl_Mod` is set. A negative limit turns round: a discharge limit of -100 %
 * is a charge of at least 100 %.
 */
export interface StorageWindow {
  readonly outPct: number;
  readonly inPct: number;
  /** `StorCtl_Mod` */
  readonly limits: number;
}

const CHARGE_LIMIT = 0b01;
const DISCHARGE_LIMIT = 0b10;

export type StorageMode = "SELF_RELIANCE" | "IDLE" | "IMPORT_FOCUS" | "EXPORT_FOCUS";

/**
 * What each mode writes. The limit that a mode does not use is opened as well, so that nothing of the former mode holds
 * on between two writes. SELF_RELIANCE and IMPORT_FOCUS follow drivers in use (evcc, openWB); IDLE joins two of their
 * holds, and EXPORT_FOCUS is IMPORT_FOCUS mirrored.
 */
export const STORAGE_WINDOWS: Readonly<Record<StorageMode, StorageWindow>> = {
  SELF_RELIANCE: { outPct: 100, inPct: 100, limits: 0 },
  IDLE: { outPct: 0, inPct: 0, limits: CHARGE_LIMIT | DISCHARGE_LIMIT },
  IMPORT_FOCUS: { outPct: -100, inPct: 100, limits: DISCHARGE_LIMIT },
  EXPORT_FOCUS: { outPct: 100, inPct: -100, limits: CHARGE_LIMIT },
};

/** The mode that the registers amount to. UNKNOWN: a window that no mode writes, somebody else's. Null: not readable. */
export function modeOfWindow(limits: number | null, outPct: number | null, inPct: number | null): OperationMode | null {
  if (limits === null) return null;
  const hasChargeLimit = (limits & CHARGE_LIMIT) !== 0;
  const hasDischargeLimit = (limits & DISCHARGE_LIMIT) !== 0;
  if (!hasChargeLimit && !hasDischargeLimit) return "SELF_RELIANCE";
  if ((hasChargeLimit && inPct === null) || (hasDischargeLimit && outPct === null)) return null;
  const mostIn = hasChargeLimit ? (inPct ?? 0) : 100;
  const mostOut = hasDischargeLimit ? (outPct ?? 0) : 100;
  if (mostIn === 0 && mostOut === 0) return "IDLE";
  if (mostOut < 0 && mostIn > 0) return "IMPORT_FOCUS";
  if (mostIn < 0 && mostOut > 0) return "EXPORT_FOCUS";
  return "UNKNOWN";
}
