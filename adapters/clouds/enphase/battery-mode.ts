/** Enphase's battery profiles and the operation modes that they amount to. */
import type { OperationMode } from "hemgate/sdk";
import { lookup } from "../kit/device/lookup.ts";

/** The vendor writes them with and without dashes, spaces and capitals: only the letters count. */
const MODES: Readonly<Record<string, OperationMode>> = {
  selfconsumption: "SELF_RELIANCE",
  savings: "TIME_OF_USE",
  savingsmode: "TIME_OF_USE",
  fullbackup: "IMPORT_FOCUS",
  backup: "IMPORT_FOCUS",
  backuponly: "IMPORT_FOCUS",
};

const PROFILES: Readonly<Partial<Record<OperationMode, string>>> = {
  SELF_RELIANCE: "Self - Consumption",
  TIME_OF_USE: "Savings Mode",
  IMPORT_FOCUS: "Full Backup",
};

/** What the vendor does in each mode, where that is not the mode's own meaning, for the owner to read. */
export const CAVEAT =
  "IMPORT_FOCUS is Enphase's Full Backup: the battery fills up from the panels, from the grid only where the owner allowed " +
  "it, and keeps its charge for an outage. TIME_OF_USE is Savings Mode, by the tariff that stands in the Enphase app.";

export const COMMANDED: readonly OperationMode[] = ["SELF_RELIANCE", "TIME_OF_USE", "IMPORT_FOCUS"];

/** Null when the vendor does not tell the profile. */
export function modeOf(profile: string | null | undefined): OperationMode | null {
  if (profile == null) return null;
  return lookup(MODES, profile.toLowerCase().replaceAll(/[^a-z]/g, "")) ?? "UNKNOWN";
}

/** The profile for a mode, as the vendor writes it; null: it has none. */
export function profileOf(mode: unknown): string | null {
  const commanded = COMMANDED.find((one) => one === mode);
  return commanded === undefined ? null : (PROFILES[commanded] ?? null);
}
