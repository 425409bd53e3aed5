/**
 * A register of a twin, and its bytes. Written apart from the product's decoder and encoder, byte by byte instead of
 * word by word, so that a mistake in one of them meets a stranger.
 */
import { z } from "zod";

const TYPES = [
  "bool",
  "int16",
  "uint16",
  "int32",
  "uint32",
  "int64",
  "uint64",
  "float32",
  "float64",
  "string",
  "raw",
] as const;

/** One register, or several that make one value, as a vendor's list has it. */
export const TwinRegister = z.strictObject({
  id: z.string(),
  address: z.int().min(0).max(65_535),
  /** The function that reads it: 1 coil, 3 holding register, 4 input register. */
  function: z.literal([1, 3, 4]),
  type: z.enum(TYPES),
  /** Registers of a text or of a block without one meaning. */
  words: z.int().min(1).optional(),
  wordOrder: z.enum(["big", "little"]).optional(),
  /** A text with the second of two characters first. */
  byteOrder: z.literal("little").optional(),
  /** value = raw × scale. */
  scale: z.number().optional(),
  unit: z.string().optional(),
  /** What a positive value means. */
  positive: z.enum(["import", "export", "charge", "discharge", "production", "consumption"]).optional(),
  /** The raw value that says "no value", in hexadecimal, or NaN. */
  nan: z.string().optional(),
  /** Reading only when absent. */
  access: z.enum(["r", "w", "rw"]).optional(),
  writeFunction: z.literal([5, 6, 16]).optional(),
});
export type TwinRegister = z.infer<typeof TwinRegister>;

/** A value as the vendor's list means it: in its unit, with its sign; words for a block without one meaning. */
export type TwinValue = number | bigint | string | readonly number[];

const BYTES: Readonly<Record<string, number>> = {
  bool: 2,
  int16: 2,
  uint16: 2,
  int32: 4,
  uint32: 4,
  int64: 8,
  uint64: 8,
  float32: 4,
  float64: 8,
};

/** How many registers it takes. */
export function twinWords(register: TwinRegister): number {
  return register.words ?? (BYTES[register.type] ?? 0) / 2;
}

export function isTwinNumber({ type }: TwinRegister): boolean {
  return type !== "string" && type !== "raw";
}

/** The registers that hold a value. A value that does not fit throws a `RangeError`. */
export function wordsOfValue(register: TwinRegister, value: TwinValue): number[] {
  if (typeof value === "object") return [...value];
  const bytes = Buffer.alloc(2 * twinWords(register));
  if (typeof value === "string") {
    bytes.write(value, "latin1");
    if (register.byteOrder === "little") bytes.swap16();
  } else if (register.type === "float32") bytes.writeFloatBE(Number(value) / (register.scale ?? 1));
  else if (register.type === "float64") bytes.writeDoubleBE(Number(value) / (register.scale ?? 1));
  else writeInteger(register, bytes, rawOf(register, value));
  return wordsOfBytes(register, bytes);
}

/** The registers that hold a raw integer. */
export function wordsOfRaw(register: TwinRegister, raw: bigint): number[] {
  const bytes = Buffer.alloc(2 * twinWords(register));
  bytes.write(
    BigInt.asUintN(8 * bytes.length, raw)
      .toString(16)
      .padStart(2 * bytes.length, "0"),
    "hex",
  );
  return wordsOfBytes(register, bytes);
}

/** The registers that say "no value"; null when the device has no way to say it. */
export function sentinelWords(register: TwinRegister): number[] | null {
  if (register.type === "float32") return wordsOfRaw(register, 0x7fc0_0000n);
  if (register.type === "float64") return wordsOfRaw(register, 0x7ff8_0000_0000_0000n);
  return register.nan === undefined ? null : wordsOfRaw(register, BigInt(register.nan));
}

/** What registers say: a number in its unit, a text, or the words of a block. Null for "no value". */
export function valueOfWords(register: TwinRegister, words: readonly number[]): number | string | number[] | null {
  const bytes = Buffer.alloc(2 * words.length);
  const inOrder = register.wordOrder === "little" ? words.toReversed() : words;
  for (const [index, word] of inOrder.entries()) bytes.writeUInt16BE(word, 2 * index);
  if (register.type === "raw") return [...words];
  if (register.byteOrder === "little") bytes.swap16();
  if (register.type === "string") return bytes.toString("latin1").replace(/(?<![\0 ])[\0 ]+$/, "");
  if (register.nan !== undefined && register.nan !== "NaN") {
    if (BigInt(`0x${bytes.toString("hex")}`) === BigInt(register.nan)) return null;
  }
  const raw = readNumber(register, bytes);
  return Number.isNaN(raw) ? null : raw * (register.scale ?? 1);
}

function rawOf(register: TwinRegister, value: number | bigint): bigint {
  if (typeof value === "bigint") return value;
  // Fifteen digits undo what a binary fraction adds.
  return BigInt(Math.round(Number((value / (register.scale ?? 1)).toPrecision(15))));
}

function writeInteger({ id, type }: TwinRegister, bytes: Buffer, raw: bigint): void {
  const bits = 8 * bytes.length;
  const kept = type.startsWith("int") ? BigInt.asIntN(bits, raw) : BigInt.asUintN(bits, raw);
  if (kept !== raw) throw new RangeError(`${id}: raw value ${raw} does not fit ${type}`);
  bytes.write(
    BigInt.asUintN(bits, raw)
      .toString(16)
      .padStart(2 * bytes.length, "0"),
    "hex",
  );
}

function readNumber({ type }: TwinRegister, bytes: Buffer): number {
  if (type === "float32") return bytes.readFloatBE();
  if (type === "float64") return bytes.readDoubleBE();
  if (type === "uint64") return Number(bytes.readBigUInt64BE());
  if (type === "int64") return Number(bytes.readBigInt64BE());
  return type.startsWith("int") ? bytes.readIntBE(0, bytes.length) : bytes.readUIntBE(0, bytes.length);
}

function wordsOfBytes({ wordOrder }: TwinRegister, bytes: Buffer): number[] {
  const words = Array.from({ length: bytes.length / 2 }, (_unused, index) => bytes.readUInt16BE(2 * index));
  return wordOrder === "little" ? words.reverse() : words;
}
