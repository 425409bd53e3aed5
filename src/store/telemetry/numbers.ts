/**
 * Encodes columns of numbers without loss: as short decimals (registers with a scale), as single floats (IEEE 754
 * binary32 registers), or as doubles. The shortest form that restores each value exactly is used.
 */
import assert from "node:assert/strict";
import { StorageError } from "../../platform/ports/storage-error.ts";
import type { ByteReader, ByteWriter } from "../bytes.ts";
import { planIntegers, readIntegers, type SequencePlan, writeIntegers } from "./integers.ts";

const RAW = 0;
const SINGLE = 1;
/** From this form on: decimals with `form - DECIMAL` digits after the point. */
const DECIMAL = 2;
const MAX_DIGITS = 13;
const FORM_SHIFT = 16;
const RAW_BYTES = 8;

export function writeNumbers(writer: ByteWriter, values: readonly number[]): void {
  assert(values.every(Number.isFinite), "NaN and infinities must be null");
  let form = RAW;
  let best: SequencePlan | null = null;
  const digits = digitsOf(values);
  const candidates = [
    { form: DECIMAL + (digits ?? 0), integers: digits === null ? null : scaled(values, digits) },
    { form: SINGLE, integers: singles(values) },
  ];
  for (const candidate of candidates) {
    const plan = candidate.integers === null ? null : planIntegers(candidate.integers);
    if (plan === null || plan.size >= (best?.size ?? values.length * RAW_BYTES)) continue;
    best = plan;
    form = candidate.form;
  }
  writer.byte(form * FORM_SHIFT + (best?.mode ?? 0));
  if (best !== null) writeIntegers(writer, best);
  else for (const value of values) writer.float64(value);
}

export function readNumbers(reader: ByteReader, count: number): number[] {
  const header = reader.byte();
  const form = Math.floor(header / FORM_SHIFT);
  if (form === RAW) return readRaw(reader, count);
  const values = readIntegers(reader, header % FORM_SHIFT, count);
  if (form === DECIMAL) return values;
  const scale = 10 ** (form - DECIMAL);
  for (let index = 0; index < count; index++) {
    const integer = values[index] ?? 0;
    values[index] = form === SINGLE ? singleOf(integer) : integer / scale;
  }
  return values;
}

function readRaw(reader: ByteReader, count: number): number[] {
  const values: number[] = [];
  while (values.length < count) values.push(reader.float64());
  return values;
}

/** Returns the digits after the point that each value needs; `null` if a value is not a short decimal. */
function digitsOf(values: readonly number[]): number | null {
  let digits = 0;
  for (const value of values) {
    while (!isDecimal(value, 10 ** digits)) {
      digits += 1;
      if (digits > MAX_DIGITS) return null;
    }
  }
  return digits;
}

/**
 * True if a value is a decimal with this scale. Division of an exact integer by an exact power of ten rounds in the
 * same way as parsing the decimal, so equality is sufficient. Negative zero is not a decimal.
 */
function isDecimal(value: number, scale: number): boolean {
  const integer = Math.round(value * scale);
  return Number.isSafeInteger(integer) && integer / scale === value && !Object.is(value, -0);
}

/** Returns the scaled integers; `null` if a large value cannot have the digits that another one needs. */
function scaled(values: readonly number[], digits: number): number[] | null {
  const scale = 10 ** digits;
  const integers: number[] = [];
  for (const value of values) {
    if (!isDecimal(value, scale)) return null;
    integers.push(Math.round(value * scale));
  }
  return integers;
}

const SIGN_BIT = 0x8000_0000;
const CELL_BYTES = 4;

/** Returns the bits of single floats as integers in the order of the values, so that near values give near integers. */
function singles(values: readonly number[]): number[] | null {
  const cell = new DataView(new ArrayBuffer(CELL_BYTES));
  const integers: number[] = [];
  for (const value of values) {
    if (!Object.is(Math.fround(value), value)) return null;
    cell.setFloat32(0, value);
    const bits = cell.getUint32(0);
    integers.push(bits < SIGN_BIT ? bits : SIGN_BIT - 1 - bits);
  }
  return integers;
}

function singleOf(integer: number): number {
  const bits = integer >= 0 ? integer : SIGN_BIT - 1 - integer;
  if (bits < 0 || bits > 0xffff_ffff) throw new StorageError("damaged", `${integer} is not a single float`);
  const cell = new DataView(new ArrayBuffer(CELL_BYTES));
  cell.setUint32(0, bits);
  return cell.getFloat32(0);
}
