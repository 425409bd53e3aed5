/** Writes and reads binary values: variable-length integers, doubles and texts. All stored values consist of these. */
import assert from "node:assert/strict";
import { StorageError } from "../platform/ports/storage-error.ts";

const FIRST_CAPACITY = 128;
const VARINT_BASE = 128;
/** A safe integer has 53 bits: eight groups of seven. */
const VARINT_MAX_BYTES = 8;

/** Returns the number of bytes that `ByteWriter.varint` writes for a value. */
export function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= VARINT_BASE; rest = Math.floor(rest / VARINT_BASE)) bytes += 1;
  return bytes;
}

/** Writes values into a growing buffer. */
export class ByteWriter {
  #buffer: Buffer = Buffer.allocUnsafe(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#length = this.#buffer.writeUInt8(value, this.#length);
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeUInt32BE(value, this.#length);
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeDoubleBE(value, this.#length);
  }

  /** Writes a safe integer from 0; a small one takes one byte. */
  varint(value: number): void {
    assert(Number.isSafeInteger(value) && value >= 0);
    this.#reserve(VARINT_MAX_BYTES);
    let rest = value;
    while (rest >= VARINT_BASE) {
      this.#buffer[this.#length++] = (rest % VARINT_BASE) + VARINT_BASE;
      rest = Math.floor(rest / VARINT_BASE);
    }
    this.#buffer[this.#length++] = rest;
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length);
    this.#buffer.set(value, this.#length);
    this.#length += value.length;
  }

  text(value: string): void {
    const encoded = Buffer.from(value, "utf8");
    this.varint(encoded.length);
    this.bytes(encoded);
  }

  /** Returns a copy of the written bytes. */
  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffer, 0, this.#length);
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    larger.set(this.#buffer.subarray(0, this.#length));
    this.#buffer = larger;
  }
}

/**
 * Reads the values that `ByteWriter` wrote. Throws a `StorageError("damaged")` if the bytes end too early or are
 * invalid.
 */
export class ByteReader {
  readonly #buffer: Buffer;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get left(): number {
    return this.#buffer.length - this.#offset;
  }

  byte(): number {
    return this.#buffer.readUInt8(this.#take(1));
  }

  uint32(): number {
    return this.#buffer.readUInt32BE(this.#take(4));
  }

  float64(): number {
    return this.#buffer.readDoubleBE(this.#take(8));
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let count = 0; count < VARINT_MAX_BYTES; count++) {
      const next = this.byte();
      value += (next % VARINT_BASE) * scale;
      if (next < VARINT_BASE) {
        if (!Number.isSafeInteger(value)) break;
        return value;
      }
      scale *= VARINT_BASE;
    }
    throw new StorageError("damaged", "a variable-length integer has no end");
  }

  /** Returns a view, which is valid as long as the reader's bytes. */
  bytes(count: number): Uint8Array {
    const start = this.#take(count);
    return this.#buffer.subarray(start, start + count);
  }

  text(): string {
    const length = this.varint();
    const start = this.#take(length);
    return this.#buffer.toString("utf8", start, start + length);
  }

  #take(count: number): number {
    if (count > this.left) throw new StorageError("damaged", `${count} bytes expected, ${this.left} are left`);
    const start = this.#offset;
    this.#offset += count;
    return start;
  }
}
