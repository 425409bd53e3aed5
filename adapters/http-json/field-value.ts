/** Values of an answer as a profile's fields describe them. */
import { DeviceError, type FormulaValue } from "hemgate/sdk";
import type { HttpField } from "./http-profile.ts";
import { type ValuePath, valuesAt } from "./value-path.ts";

/** A field with its paths read and its settings filled in. */
export interface CompiledField {
  readonly field: HttpField;
  readonly path: ValuePath;
  readonly validPath: ValuePath | null;
}

/**
 * The value of a field in a document: null when it is missing, null, NaN or one of the sentinels. Throws a
 * `DeviceError("malformed")` when it has another type than the profile says.
 */
export function fieldValue(
  document: unknown,
  { field, path, validPath }: CompiledField,
  known: (key: string) => unknown,
): FormulaValue {
  if (validPath !== null && valuesAt(document, validPath, known)[0] !== true) return null;
  const raw = valuesAt(document, path, known)
    .flatMap((value) => (Array.isArray(value) ? value : [value]))
    .filter((value) => value !== null && field.sentinels?.includes(value) !== true);
  if (raw.length === 0) return null;
  const { type = "number" } = field;
  if (type === "number") return numberOf(raw, field);
  const [value] = raw;
  if (typeof value === "object") throw wrongType(field, value);
  if (type === "text") return typeof value === "string" ? textOf(value) : String(value);
  if (type === "boolean" && typeof value !== "boolean") throw wrongType(field, value);
  return value as FormulaValue;
}

function textOf(value: string): string | null {
  const text = value.trim();
  return text === "" ? null : text;
}

function numberOf(raw: readonly unknown[], field: HttpField): number | null {
  const { scale = 1, combine } = field;
  const numbers = raw.map((value) => oneNumber(value, field)).filter((value) => value !== null);
  const [first] = numbers;
  if (first === undefined) return null;
  const sum = numbers.reduce((total, value) => total + value, 0);
  const value = combine === undefined ? first : combine === "sum" ? sum : sum / numbers.length;
  return scale === 1 ? value : clean(value * scale);
}

function oneNumber(value: unknown, field: HttpField): number | null {
  if (field.isText === true && typeof value === "string") {
    const text = value.trim();
    if (text === "" || /^nan$/i.test(text)) return null;
    const number = /^[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isFinite(number)) return number;
    throw wrongType(field, value);
  }
  if (typeof value !== "number") throw wrongType(field, value);
  // JSON has no NaN; a number too large for a double is not a measurement.
  return Number.isFinite(value) ? value : null;
}

/** Without the noise that a decimal scale leaves, and without a negative zero. */
function clean(value: number): number {
  return Number(value.toPrecision(15)) + 0;
}

function wrongType({ from, path }: HttpField, value: unknown): DeviceError {
  const what = Array.isArray(value) ? "an array" : typeof value === "object" ? "an object" : `a ${typeof value}`;
  return new DeviceError("malformed", `${path} in the answer to ${from} is ${what}`);
}
