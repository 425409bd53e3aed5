import { type Control, type ControlPoint, POINT_UNITS, type PointValue } from "hemgate/sdk";

/** Whether a control takes a value: one of its states, or a number within its range. */
export function acceptsValue({ values, range }: Pick<Control, "values" | "range">, value: PointValue): boolean {
  if (values?.includes(value) === true) return true;
  return typeof value === "number" && range !== undefined && value >= range.min && value <= range.max;
}

/** What a control takes, as the end of an error. */
export function acceptedText({ values, range }: Pick<Control, "values" | "range">, point: ControlPoint): string {
  if (range !== undefined) return `it takes ${range.min} to ${range.max} ${POINT_UNITS[point]}`;
  return `it takes ${(values ?? []).join(", ")}`;
}
