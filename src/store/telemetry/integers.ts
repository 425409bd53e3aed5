/**
 * Encodes sequences of integers as differences: of order 0 (the values), 1 (a counter or a slow quantity) or 2
 * (instants at regular intervals); these as runs of equal values (a state), or packed with as many bits as the largest
 * needs (a noisy quantity). The shortest of the six forms is used.
 */
import { StorageError } from "../../platform/ports/storage-error.ts";
import { type ByteReader, type ByteWriter, varintBytes } from "../bytes.ts";
import { packedBytes, readPacked, widthOf, writePacked } from "./bit-packing.ts";

/** The form of a sequence and its size, so that forms can be compared before one is written. */
export interface SequencePlan {
  /** Order of the differences in the two low bits; the third bit is set for runs. It fits four bits. */
  readonly mode: number;
  readonly size: number;
  readonly folded: readonly number[];
}

const ORDERS = [0, 1, 2] as const;
const RUNS = 4;
const ORDER_MASK = 3;

/** Returns the shortest form; `null` if a difference is not a safe integer. */
export function planIntegers(values: readonly number[]): SequencePlan | null {
  let best: SequencePlan | null = null;
  let differences = values;
  for (const order of ORDERS) {
    if (order > 0) differences = differ(differences);
    const folded = foldAll(differences);
    // An unsafe difference may be rounded, so higher orders would be wrong.
    if (folded === null) break;
    const runs = { mode: order + RUNS, size: runsBytes(folded), folded };
    const packed = { mode: order, size: headBytes(folded, order) + packedBytes(folded, order), folded };
    for (const plan of [packed, runs]) if (best === null || plan.size < best.size) best = plan;
  }
  return best;
}

/** Writes the sequence. The caller stores its mode. */
export function writeIntegers(writer: ByteWriter, { mode, folded }: SequencePlan): void {
  if (mode >= RUNS) {
    writeRuns(writer, folded);
    return;
  }
  for (let index = 0; index < Math.min(mode, folded.length); index++) writer.varint(folded[index] ?? 0);
  writePacked(writer, folded, mode, widthOf(folded, mode));
}

export function readIntegers(reader: ByteReader, mode: number, count: number): number[] {
  const order = mode & ORDER_MASK;
  if (order > 2 || mode > ORDER_MASK + RUNS) throw new StorageError("damaged", `sequence mode ${mode} is unknown`);
  const values = mode >= RUNS ? readRuns(reader, count) : readHeadAndPacked(reader, order, count);
  for (let index = 0; index < count; index++) values[index] = unfold(values[index] ?? 0);
  for (let level = 0; level < order; level++) sumInPlace(values);
  return values;
}

/**
 * Maps signed to unsigned integers, small magnitudes first: 0, −1, 1, −2, 2 become 0, 1, 2, 3, 4. `null` if a result is
 * not safe.
 */
function foldAll(values: readonly number[]): number[] | null {
  const folded: number[] = [];
  for (const value of values) {
    const next = value >= 0 ? value * 2 : -value * 2 - 1;
    if (!Number.isSafeInteger(next)) return null;
    folded.push(next);
  }
  return folded;
}

function unfold(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function differ(values: readonly number[]): number[] {
  const differences: number[] = [];
  let last = 0;
  for (const value of values) {
    differences.push(value - last);
    last = value;
  }
  return differences;
}

function sumInPlace(values: number[]): void {
  let total = 0;
  for (let index = 0; index < values.length; index++) {
    total += values[index] ?? 0;
    values[index] = total;
  }
}

/**
 * The first values of an order are not differences yet and far larger: they are written separately before the packed
 * ones.
 */
function headBytes(folded: readonly number[], order: number): number {
  let bytes = 0;
  for (let index = 0; index < Math.min(order, folded.length); index++) bytes += varintBytes(folded[index] ?? 0);
  return bytes;
}

function readHeadAndPacked(reader: ByteReader, order: number, count: number): number[] {
  const values: number[] = [];
  while (values.length < Math.min(order, count)) values.push(reader.varint());
  readPacked(reader, values, count);
  return values;
}

function runsBytes(folded: readonly number[]): number {
  let bytes = 0;
  for (let start = 0; start < folded.length; ) {
    const end = endOfRun(folded, start);
    bytes += varintBytes(folded[start] ?? 0) + varintBytes(end - start);
    start = end;
  }
  return bytes;
}

function writeRuns(writer: ByteWriter, folded: readonly number[]): void {
  for (let start = 0; start < folded.length; ) {
    const end = endOfRun(folded, start);
    writer.varint(folded[start] ?? 0);
    writer.varint(end - start);
    start = end;
  }
}

function endOfRun(folded: readonly number[], start: number): number {
  let end = start + 1;
  while (end < folded.length && folded[end] === folded[start]) end++;
  return end;
}

function readRuns(reader: ByteReader, count: number): number[] {
  const values: number[] = [];
  while (values.length < count) {
    const value = reader.varint();
    const length = reader.varint();
    if (length === 0 || length > count - values.length) throw new StorageError("damaged", `a run of ${length}`);
    for (let index = 0; index < length; index++) values.push(value);
  }
  return values;
}
