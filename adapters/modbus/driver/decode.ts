/** Registers to values. A decoder is made once a point and runs for each reading. */
import { type RegisterField, type RegisterValue, registerWords } from "hemgate/sdk";
import { type Decimal, decimal, scale, shortestFloat32 } from "./decimal.ts";

/** Powers of ten that SunSpec allows; anything else, its 0x8000 included, is "not implemented". */
const MAX_SCALE_TENS = 10;

/** Decodes a field that starts at an index of the registers; `tens` is the power of ten of `scaleFrom`. */
export type Decoder = (registers: Uint16Array, at: number, tens: number) => RegisterValue;

/** Makes the decoder of a field. */
export function decoder(field: RegisterField): Decoder {
  const { type } = field;
  if (type === "string") return stringDecoder(registerWords(field), field.byteOrder === "little");
  if (type === "float32" || type === "float64") return floatDecoder(field);
  if (type === "uint64" || type === "int64") return bigDecoder(field);
  return integerDecoder(field);
}

/** The power of ten that a register of another key holds; null when it holds none. */
export function scaleTens(value: RegisterValue | undefined): number | null {
  const isPower = typeof value === "number" && Number.isInteger(value) && Math.abs(value) <= MAX_SCALE_TENS;
  return isPower ? value : null;
}

function integerDecoder(field: RegisterField): Decoder {
  const isSigned = field.type.startsWith("int");
  const isWide = registerWords(field) === 2;
  const highFirst = field.wordOrder !== "little";
  const [sentinel = NO_SENTINEL, ...others] = unsignedSentinels(field, isWide ? 32 : 16).map(Number);
  const factor = factorOf(field);
  return (registers, at, tens) => {
    const first = registers[at] ?? 0;
    const second = isWide ? (registers[at + 1] ?? 0) : 0;
    const unsigned = !isWide ? first : (highFirst ? (first << 16) | second : (second << 16) | first) >>> 0;
    if (unsigned === sentinel || (others.length > 0 && others.includes(unsigned))) return null;
    const raw = !isSigned ? unsigned : isWide ? unsigned | 0 : (unsigned << 16) >> 16;
    return factor === null && tens === 0 ? raw : scale(raw, factor ?? ONE, tens);
  };
}

/** 64 bits are compared as integers: a double would take 2^64 − 1 and 2^64 − 2 for the same. */
function bigDecoder(field: RegisterField): Decoder {
  const sentinels = unsignedSentinels(field, 64);
  const isSigned = field.type === "int64";
  const factor = factorOf(field);
  return (registers, at, tens) => {
    const unsigned = wordsToBig(registers, at, field.wordOrder);
    if (sentinels.includes(unsigned)) return null;
    const raw = Number(isSigned ? BigInt.asIntN(64, unsigned) : unsigned);
    return factor === null && tens === 0 ? raw : scale(raw, factor ?? ONE, tens);
  };
}

function floatDecoder(field: RegisterField): Decoder {
  const words = registerWords(field);
  const factor = factorOf(field);
  const sentinels = (field.sentinels ?? []).map(Number);
  const view = new DataView(new ArrayBuffer(8));
  return (registers, at, tens) => {
    for (let index = 0; index < words; index++) {
      const from = field.wordOrder === "little" ? at + words - 1 - index : at + index;
      view.setUint16(2 * index, registers[from] ?? 0);
    }
    const raw = words === 2 ? view.getFloat32(0) : view.getFloat64(0);
    if (!Number.isFinite(raw) || sentinels.includes(raw)) return null;
    const value = words === 2 ? shortestFloat32(raw) : raw + 0;
    return factor === null && tens === 0 ? value : scale(value, factor ?? ONE, tens);
  };
}

/** Text ends at its first NUL, unless each register has one character; spaces around it are padding; a text that is blank or never written (0xFF) counts as no text. */
function stringDecoder(words: number, isLowFirst: boolean): Decoder {
  const text = new TextDecoder();
  return (registers, at) => {
    const bytes = new Uint8Array(2 * words);
    for (let index = 0; index < words; index++) {
      const register = registers[at + index] ?? 0;
      bytes[2 * index + (isLowFirst ? 1 : 0)] = register >>> 8;
      bytes[2 * index + (isLowFirst ? 0 : 1)] = register;
    }
    if (bytes.every((byte) => byte === 0xff)) return null;
    const isSpread = bytes.every((byte, index) => byte === 0 || index % 2 === 1);
    const characters = isSpread ? bytes.filter((_byte, index) => index % 2 === 1) : bytes;
    const end = characters.indexOf(0);
    const value = text.decode(end === -1 ? characters : characters.subarray(0, end)).trim();
    return value === "" ? null : value;
  };
}

/** No unsigned integer is this. */
const NO_SENTINEL = -1;
const ONE: Decimal = { digits: 1, exponent: 0 };

/** Null when the value is taken as it is. */
function factorOf(field: RegisterField): Decimal | null {
  return field.scale === undefined || field.scale === 1 ? null : decimal(field.scale);
}

/** Sentinels as the bits on the wire, so that −32768 and 0x8000 are the same int16. */
function unsignedSentinels(field: RegisterField, bits: number): bigint[] {
  return (field.sentinels ?? []).map((sentinel) => BigInt.asUintN(bits, BigInt(sentinel)));
}

function wordsToBig(registers: Uint16Array, at: number, order: RegisterField["wordOrder"]): bigint {
  let value = 0n;
  for (let index = 0; index < 4; index++) {
    value = (value << 16n) | BigInt(registers[order === "little" ? at + 3 - index : at + index] ?? 0);
  }
  return value;
}
