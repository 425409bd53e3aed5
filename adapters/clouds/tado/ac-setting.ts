import type { Capabilities, Setting, Temperatures } from "./schemas.ts";

/** Beside the temperature: a setting's name, and the name under which capabilities list its values. */
const EXTRAS = [
  ["fanSpeed", "fanSpeeds"],
  ["swing", "swings"],
  ["fanLevel", "fanLevel"],
  ["verticalSwing", "verticalSwing"],
  ["horizontalSwing", "horizontalSwing"],
  ["light", "light"],
] as const;
/** What is chosen where the unit is not set to anything that the mode takes: the one that interferes least. */
const PREFERRED = ["AUTO", "OFF"];

/** The setpoint that the unit knows nearest to the wished one, °C. */
export function steppedSetpoint(celsius: number, temperatures: Temperatures): number {
  if (temperatures === null) return celsius;
  const { min, max, step } = temperatures.celsius;
  const stepped = Number((min + Math.round((celsius - min) / step) * step).toFixed(2));
  return stepped > max ? celsius : stepped;
}

/** Settings of an air conditioner that its mode wants beside a temperature: kept as they are where the mode takes them. */
export function acExtras(mode: "HEAT" | "COOL", capabilities: Capabilities, current: Setting): Record<string, string> {
  const extras: Record<string, string> = {};
  for (const [name, listed] of EXTRAS) {
    const taken: unknown = capabilities[mode]?.[listed];
    if (!Array.isArray(taken)) continue;
    const values = taken.filter((value) => typeof value === "string");
    const value = [current[name], ...PREFERRED, values[0]].find((each) => values.includes(String(each)));
    if (value !== undefined) extras[name] = String(value);
  }
  return extras;
}
