/** Values to registers, for writes. */
import { registerWords, type WriteField } from "hemgate/sdk";

type NumberField = Pick<WriteField, "type" | "wordOrder" | "scale">;

/** Rounds to a register's unit. */
type Rounding = (raw: number) => number;

/** The registers of a value. A value that the field cannot hold is a bug of the caller and throws a `RangeError`. */
export function encodeNumber(field: NumberField, value: number, rounded: Rounding = Math.round): number[] {
  if (!Number.isFinite(value)) throw new RangeError(`${value} cannot be written`);
  const words =
    field.type === "float32" || field.type === "float64"
      ? floatWords(field, value)
      : integerWords(field, value, rounded);
  return field.wordOrder === "little" ? words.reverse() : words;
}

function integerWords(field: NumberField, value: number, rounded: Rounding): number[] {
  const bits = 16 * registerWords(field);
  const raw = BigInt(rounded(unscaled(value, field.scale ?? 1)));
  const kept = field.type.startsWith("int") ? BigInt.asIntN(bits, raw) : BigInt.asUintN(bits, raw);
  if (kept !== raw) throw new RangeError(`${value} does not fit ${field.type} (raw ${raw})`);
  const words: number[] = [];
  for (let shift = bits - 16; shift >= 0; shift -= 16) words.push(Number((raw >> BigInt(shift)) & 0xffffn));
  return words;
}

/** Fifteen digits undo what binary fractions add: 2.3 ÷ 0.1 is 22.999999999999996. */
function unscaled(value: number, scale: number): number {
  return scale === 1 ? value : Number((value / scale).toPrecision(15));
}

function floatWords(field: NumberField, value: number): number[] {
  const words = registerWords(field);
  const view = new DataView(new ArrayBuffer(8));
  const raw = value / (field.scale ?? 1);
  if (words === 2) view.setFloat32(0, raw);
  else view.setFloat64(0, raw);
  if (!Number.isFinite(words === 2 ? view.getFloat32(0) : view.getFloat64(0))) {
    throw new RangeError(`${value} does not fit ${field.type}`);
  }
  return Array.from({ length: words }, (_, index) => view.getUint16(2 * index));
}
