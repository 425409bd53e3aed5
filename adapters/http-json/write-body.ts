import { DeviceError, evaluate, type Formula, type FormulaScope } from "hemgate/sdk";

/** A body with what its formulas give. Throws `DeviceError("rejected")` when one of them gives nothing. */
export function filledBody(template: unknown, scope: FormulaScope): unknown {
  if (Array.isArray(template)) return template.map((part) => filledBody(part, scope));
  if (typeof template !== "object" || template === null) return template;
  if ("$value" in template) return known(template.$value as Formula, scope);
  if ("$text" in template) return String(known(template.$text as Formula, scope));
  return Object.fromEntries(Object.entries(template).map(([name, part]) => [name, filledBody(part, scope)]));
}

function known(formula: Formula, scope: FormulaScope): string | number | boolean {
  const value = evaluate(formula, scope);
  if (value === null) throw new DeviceError("rejected", "what to write is not known yet");
  return value;
}
