import type { Control, PointValue } from "hemgate/sdk";

/** Whether a control takes a value: one of its states, or a number within its range. */
export function acceptsValue({ values, range }: Pick<Control, "values" | "range">, value: PointValue): boolean {
  if (values?.includes(value) === true) return true;
  return typeof value === "number" && range !== undefined && value >= range.min && value <= range.max;
}
