/** Packs unsigned integers with as many bits each as the largest needs, lowest bit first. */
import { StorageError } from "../../platform/ports/storage-error.ts";
import type { ByteReader, ByteWriter } from "../bytes.ts";

const BYTE_BITS = 8;
const BYTE = 256;
const MAX_WIDTH = 53;
/** Up to this width a value and the rest of a byte fit JavaScript's 32-bit operations. */
const FAST_WIDTH = 24;

/** Returns the bits of the largest value from `start` on; 0 if all are 0. */
export function widthOf(values: readonly number[], start: number): number {
  let largest = 0;
  for (let index = start; index < values.length; index++) largest = Math.max(largest, values[index] ?? 0);
  let width = 0;
  for (let rest = largest; rest > 0; rest = Math.floor(rest / 2)) width += 1;
  return width;
}

/** Returns the bytes that `writePacked` writes: the width, then the bits. */
export function packedBytes(values: readonly number[], start: number): number {
  const count = values.length - start;
  return count <= 0 ? 0 : 1 + Math.ceil((count * widthOf(values, start)) / BYTE_BITS);
}

export function writePacked(writer: ByteWriter, values: readonly number[], start: number, width: number): void {
  if (start >= values.length) return;
  writer.byte(width);
  let pending = 0;
  let bits = 0;
  const put = (value: number, count: number): void => {
    pending |= value << bits;
    for (bits += count; bits >= BYTE_BITS; bits -= BYTE_BITS) {
      writer.byte(pending & (BYTE - 1));
      pending >>>= BYTE_BITS;
    }
  };
  for (let index = start; index < values.length; index++) {
    const value = values[index] ?? 0;
    put(value % 2 ** FAST_WIDTH, Math.min(width, FAST_WIDTH));
    if (width > FAST_WIDTH) putHigh(put, Math.floor(value / 2 ** FAST_WIDTH), width - FAST_WIDTH);
  }
  if (bits > 0) writer.byte(pending);
}

function putHigh(put: (value: number, count: number) => void, value: number, width: number): void {
  put(value % 2 ** FAST_WIDTH, Math.min(width, FAST_WIDTH));
  if (width > FAST_WIDTH) put(Math.floor(value / 2 ** FAST_WIDTH), width - FAST_WIDTH);
}

/** Reads values until there are `count`. */
export function readPacked(reader: ByteReader, values: number[], count: number): void {
  const rest = count - values.length;
  if (rest <= 0) return;
  const width = reader.byte();
  if (width > MAX_WIDTH) throw new StorageError("damaged", `${width} bits per value`);
  const packed = reader.bytes(Math.ceil((rest * width) / BYTE_BITS));
  if (width <= FAST_WIDTH) unpackNarrow(packed, values, count, width);
  else unpackWide(packed, values, count, width);
}

function unpackNarrow(packed: Uint8Array, values: number[], count: number, width: number): void {
  const mask = 2 ** width - 1;
  let pending = 0;
  let bits = 0;
  let next = 0;
  while (values.length < count) {
    for (; bits < width; bits += BYTE_BITS) pending |= (packed[next++] ?? 0) << bits;
    values.push(pending & mask);
    pending >>>= width;
    bits -= width;
  }
}

function unpackWide(packed: Uint8Array, values: number[], count: number, width: number): void {
  let bit = 0;
  while (values.length < count) {
    let value = 0;
    for (let place = 0; place < width; ) {
      const offset = bit % BYTE_BITS;
      const taken = Math.min(BYTE_BITS - offset, width - place);
      const bits = ((packed[(bit - offset) / BYTE_BITS] ?? 0) >> offset) & ((1 << taken) - 1);
      value += bits * 2 ** place;
      place += taken;
      bit += taken;
    }
    values.push(value);
  }
}
