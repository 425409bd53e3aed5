/**
 * Columns of numbers, every bit kept: as short decimals (registers with a scale), as single floats (registers that are
 * IEEE 754 binary32), or as they are. The shortest form that gives back each value exactly is taken.
 */
import assert from "node:assert/strict";
import { StorageError } from "../../platform/storage-error.ts";
import { type ByteReader, ByteWriter } from "../bytes.ts";
import { decodeIntegers, encodeIntegers } from "./integers.ts";

const RAW = 0;
const SINGLE = 1;
/** Forms from here on are decimals with `form - DECIMAL` digits after the point. */
const DECIMAL = 2;
const MAX_DIGITS = 13;
const FORM_SHIFT = 16;

export function writeNumbers(writer: ByteWriter, values: readonly number[]): void {
  assert(values.every(Number.isFinite), "NaN and infinities are null before they come here");
  let best = rawForm(values);
  for (const form of [singleForm(values), decimalForm(values)]) {
    if (form !== null && form.length < best.length) best = form;
  }
  writer.bytes(best);
}

export function readNumbers(reader: ByteReader, count: number): number[] {
  const header = reader.byte();
  const form = Math.floor(header / FORM_SHIFT);
  if (form === RAW) return Array.from({ length: count }, () => reader.float64());
  const integers = decodeIntegers(reader, header % FORM_SHIFT, count);
  if (form === SINGLE) return integers.map(singleOf);
  const scale = 10 ** (form - DECIMAL);
  return integers.map((integer) => integer / scale);
}

function rawForm(values: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(RAW);
  for (const value of values) writer.float64(value);
  return writer.finish();
}

function singleForm(values: readonly number[]): Uint8Array | null {
  if (!values.every((value) => Object.is(Math.fround(value), value))) return null;
  return integerForm(SINGLE, values.map(bitsOf));
}

function decimalForm(values: readonly number[]): Uint8Array | null {
  for (let digits = 0; digits <= MAX_DIGITS; digits++) {
    const scale = 10 ** digits;
    const integers = values.map((value) => Math.round(value * scale));
    // Dividing an exact integer by an exact power of ten rounds as reading the decimal does, so equality is enough.
    const isExact = values.every((value, index) => {
      const integer = integers[index] ?? Number.NaN;
      return Number.isSafeInteger(integer) && integer / scale === value && !Object.is(value, -0);
    });
    if (isExact) return integerForm(DECIMAL + digits, integers);
  }
  return null;
}

function integerForm(form: number, integers: readonly number[]): Uint8Array | null {
  const sequence = encodeIntegers(integers);
  if (sequence === null) return null;
  const writer = new ByteWriter();
  writer.byte(form * FORM_SHIFT + sequence.mode);
  writer.bytes(sequence.bytes);
  return writer.finish();
}

const SIGN_BIT = 0x8000_0000;

/** The bits of a single float as an integer that grows with the value, so that near values have near integers. */
function bitsOf(value: number): number {
  const cell = new DataView(new ArrayBuffer(4));
  cell.setFloat32(0, value);
  const bits = cell.getUint32(0);
  return bits < SIGN_BIT ? bits : SIGN_BIT - 1 - bits;
}

function singleOf(integer: number): number {
  const bits = integer >= 0 ? integer : SIGN_BIT - 1 - integer;
  if (bits < 0 || bits > 0xffff_ffff) throw new StorageError("damaged", `${integer} is no single float`);
  const cell = new DataView(new ArrayBuffer(4));
  cell.setUint32(0, bits);
  return cell.getFloat32(0);
}
