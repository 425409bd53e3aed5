/**
 * Sequences of integers as differences: of order 0 (the values), 1 (a counter or a slow quantity) or 2 (instants at a
 * steady pace), each one by one or as runs of equals. The shortest of the six is taken.
 */
import { StorageError } from "../../platform/storage-error.ts";
import { type ByteReader, ByteWriter } from "../bytes.ts";

/** Order of the differences in the low two bits, runs in the third: fits four bits. */
export type SequenceMode = number;

const ORDERS = [0, 1, 2] as const;
const RUNS = 4;
const ORDER_MASK = 3;

/** The shortest form; null when a difference leaves the safe integers. */
export function encodeIntegers(
  values: readonly number[],
): { readonly mode: SequenceMode; readonly bytes: Uint8Array } | null {
  let best: { mode: SequenceMode; bytes: Uint8Array } | null = null;
  let differences = values;
  for (const order of ORDERS) {
    if (order > 0) differences = differ(differences);
    const folded = differences.map(fold);
    // An unsafe difference may be rounded already; the next order would be made of it.
    if (!folded.every(Number.isSafeInteger)) break;
    for (const mode of [order, order + RUNS]) {
      const bytes = mode >= RUNS ? writeRuns(folded) : writeEach(folded);
      if (best === null || bytes.length < best.bytes.length) best = { mode, bytes };
    }
  }
  return best;
}

export function decodeIntegers(reader: ByteReader, mode: SequenceMode, count: number): number[] {
  const order = mode & ORDER_MASK;
  if (order > 2) throw new StorageError("damaged", `sequence mode ${mode} is unknown`);
  let values = (mode & RUNS) === 0 ? readEach(reader, count) : readRuns(reader, count);
  values = values.map(unfold);
  for (let level = 0; level < order; level++) values = sum(values);
  return values;
}

/** Signed to unsigned, small magnitudes first: 0, −1, 1, −2, 2 become 0, 1, 2, 3, 4. */
function fold(value: number): number {
  return value >= 0 ? value * 2 : -value * 2 - 1;
}

function unfold(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
}

function differ(values: readonly number[]): number[] {
  return values.map((value, index) => value - (values[index - 1] ?? 0));
}

function sum(values: readonly number[]): number[] {
  let total = 0;
  return values.map((value) => {
    total += value;
    return total;
  });
}

function writeEach(folded: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  for (const value of folded) writer.varint(value);
  return writer.finish();
}

function readEach(reader: ByteReader, count: number): number[] {
  return Array.from({ length: count }, () => reader.varint());
}

function writeRuns(folded: readonly number[]): Uint8Array {
  const writer = new ByteWriter();
  for (let start = 0; start < folded.length; ) {
    const value = folded[start] ?? 0;
    let end = start + 1;
    while (end < folded.length && folded[end] === value) end++;
    writer.varint(value);
    writer.varint(end - start);
    start = end;
  }
  return writer.finish();
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
