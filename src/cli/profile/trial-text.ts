/** What a trial found, for people. */
import type { ControlTerms, ValueTerms } from "../../../adapters/modbus/driver/control-terms.ts";
import type { TriedRegister, TriedRound } from "../../../adapters/modbus/profile/profile-trial.ts";
import { POINT_UNITS } from "../../points/points.ts";
import type { DeviceIdentity } from "../../sdk/driver.ts";
import { pointText } from "../point-text.ts";
import { textTable } from "../text-table.ts";

export function identityText({ manufacturer, model, serial, version }: DeviceIdentity): string {
  const parts = { manufacturer, model, serial, version };
  return Object.entries(parts)
    .map(([name, value]) => `${name} ${value ?? "not reported"}`)
    .join(", ");
}

/** Every register, every point. */
export function roundText({ registers, points }: TriedRound): string {
  const shown = points.map(({ point, value }) => [point, pointText({ point, value, unit: POINT_UNITS[point] })]);
  return [
    textTable(["REGISTER", "ADDRESS", "TYPE", "RAW", "VALUE", "CONFIDENCE"], registers.map(registerCells)),
    "",
    textTable(["POINT", "VALUE"], shown),
  ].join("\n");
}

function registerCells({ key, table, address, type, raw, value, problem, confidence }: TriedRegister): string[] {
  const words = raw === null ? "–" : raw.map((word) => word.toString(16).padStart(4, "0")).join(" ");
  return [key, `${table} ${address}`, type, words, problem ?? String(value), confidence];
}

/** Each control: what is offered, what is not, and why. */
export function controlsText(terms: readonly ControlTerms[]): string {
  if (terms.length === 0) return "Nothing of it can be written.";
  return terms.map(controlText).join("\n");
}

function controlText({ control, values, missing, holdMs }: ControlTerms): string {
  const { point, range } = control;
  const all = range === undefined ? "any" : `${range.min} to ${range.max} ${POINT_UNITS[point]}`.trimEnd();
  const lines = values.map((each) => `  ${each.value ?? all}: ${needText(each, missing, control.confidence)}`);
  const failsafe =
    holdMs === null || control.hold === undefined
      ? "  no timer ends it: what is written stays when the gateway is gone"
      : `  the device itself ends it after ${holdMs / 1_000} s: ${control.hold.fallback}`;
  return [point, ...lines, failsafe].join("\n");
}

function needText({ needs }: ValueTerms, missing: readonly string[], confidence: string): string {
  if (needs === null) return `off: needs settings.${missing.join(", settings.")}`;
  if (needs.length === 0) return "offered";
  const reasons = needs.map((need) =>
    need === "confirmUnverified"
      ? `${confidence === "cross-checked" ? "part of it is not cross-checked" : confidence}`
      : "nothing would end it",
  );
  return `off (${reasons.join(", ")}) until ${needs.join(" and ")}`;
}
