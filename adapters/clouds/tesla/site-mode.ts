/** Tesla's operation modes and ours: how one is read off a site's settings, and what is asked for to reach one. */
import type { OperationMode } from "hemgate/sdk";
import type { CloudControl } from "../kit/connector.ts";
import type { SiteInfo } from "./schemas.ts";

/** The battery may go to the grid; else only the panels may. */
const BATTERY_TOO = "battery_ok";
const PANELS_ONLY = "pv_only";

/** A request below `/api/1/energy_sites/{id}/`. */
export interface SiteStep {
  readonly path: "operation" | "grid_import_export";
  readonly json: Readonly<Record<string, unknown>>;
}

export function modeOf(info: SiteInfo): OperationMode {
  switch (info.default_real_mode) {
    case "self_consumption":
      return "SELF_RELIANCE";
    case "autonomous":
      return info.components.customer_preferred_export_rule === BATTERY_TOO ? "EXPORT_FOCUS" : "TIME_OF_USE";
    case "backup":
      return "IMPORT_FOCUS";
    default:
      return "UNKNOWN";
  }
}

/** The commands that this site takes; none without a battery. */
export function modeControl({ components }: SiteInfo): CloudControl | null {
  if (components.battery !== true) return null;
  const hasTariff = components.tou_capable === true;
  const hasExportRule = components.customer_preferred_export_rule !== null;
  const values: OperationMode[] = ["SELF_RELIANCE", "IMPORT_FOCUS"];
  if (hasTariff) values.push("TIME_OF_USE");
  if (hasTariff && hasExportRule) values.push("EXPORT_FOCUS");
  return {
    point: "battery.mode",
    values,
    holdMs: null,
    safeDefault: "as-found",
    confidence: "documented",
    caveat:
      "IMPORT_FOCUS is Tesla's backup mode: it charges from the grid only where the owner allows that. EXPORT_FOCUS is " +
      "its time-based mode with export from the battery: when it sells is decided by the tariff in Tesla's app.",
  };
}

/**
 * The requests that make `mode` of what `info` shows. Leaving EXPORT_FOCUS takes back the permission to export from the
 * battery, as `ruleBefore` had it where that is known.
 */
export function stepsTo(mode: OperationMode, info: SiteInfo, ruleBefore: string | null): readonly SiteStep[] {
  const rule = info.components.customer_preferred_export_rule;
  switch (mode) {
    case "SELF_RELIANCE":
    case "IMPORT_FOCUS": {
      const back = ruleBefore ?? PANELS_ONLY;
      const restores = modeOf(info) === "EXPORT_FOCUS" && back !== BATTERY_TOO;
      return [
        operation(mode === "IMPORT_FOCUS" ? "backup" : "self_consumption"),
        ...(restores ? [exporting(back)] : []),
      ];
    }
    case "TIME_OF_USE": {
      const back = ruleBefore === null || ruleBefore === BATTERY_TOO ? PANELS_ONLY : ruleBefore;
      return [...(rule === BATTERY_TOO ? [exporting(back)] : []), operation("autonomous")];
    }
    case "EXPORT_FOCUS":
      return [...(rule === BATTERY_TOO ? [] : [exporting(BATTERY_TOO)]), operation("autonomous")];
    default:
      return [];
  }
}

function operation(mode: string): SiteStep {
  return { path: "operation", json: { default_real_mode: mode } };
}

function exporting(rule: string): SiteStep {
  return { path: "grid_import_export", json: { customer_preferred_export_rule: rule } };
}
