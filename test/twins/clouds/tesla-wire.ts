/** Protocol Buffers by hand, on the vehicle's side: what it reads, and what it writes as proto3 does. */

/** By field number, what came last: a number, or bytes. */
export type Parts = ReadonlyMap<number, bigint | Buffer>;

/** Null: the bytes are no message. */
export function partsOf(bytes: Buffer): Parts | null {
  const parts = new Map<number, bigint | Buffer>();
  let rest = bytes;
  while (rest.length > 0) {
    const key = leading(rest);
    if (key === null) return null;
    const [field, kind] = [Number(key.value >> 3n), Number(key.value & 7n)];
    const part = partAt(rest.subarray(key.size), kind);
    if (part === null || field === 0) return null;
    parts.set(field, part.value);
    rest = rest.subarray(key.size + part.size);
  }
  return parts;
}

/** A message in a message; null when it is not there, or none. */
export function inner(parts: Parts | null, field: number): Parts | null {
  const bytes = blob(parts, field);
  return bytes === null ? null : partsOf(bytes);
}

export function blob(parts: Parts | null, field: number): Buffer | null {
  const part = parts?.get(field);
  return Buffer.isBuffer(part) ? part : null;
}

export function count(parts: Parts | null, field: number): number {
  const part = parts?.get(field);
  return typeof part === "bigint" ? Number(part) : 0;
}

/** A `fixed32`. */
export function fixed(parts: Parts | null, field: number): number {
  const part = blob(parts, field);
  return part?.length === 4 ? part.readUInt32LE() : 0;
}

type Writable = number | Uint8Array | { readonly fixed: number } | Writables;
export type Writables = readonly (readonly [number, Writable])[];

/** A message of fields with their values; zeros are left out, as proto3 does. */
export function written(fields: Writables): Buffer {
  return Buffer.concat(fields.map(([field, value]) => writtenField(field, value)));
}

function writtenField(field: number, value: Writable): Buffer {
  const key = (kind: number) => varint((BigInt(field) << 3n) | BigInt(kind));
  if (typeof value === "number") return value === 0 ? Buffer.alloc(0) : Buffer.concat([key(0), varint(BigInt(value))]);
  if (value instanceof Uint8Array) return Buffer.concat([key(2), varint(BigInt(value.length)), value]);
  if ("fixed" in value) {
    const four = Buffer.alloc(4);
    four.writeUInt32LE(value.fixed);
    return value.fixed === 0 ? Buffer.alloc(0) : Buffer.concat([key(5), four]);
  }
  return writtenField(field, written(value));
}

function varint(value: bigint): Buffer {
  return value < 128n
    ? Buffer.of(Number(value))
    : Buffer.concat([Buffer.of(Number((value & 127n) | 128n)), varint(value >> 7n)]);
}

function leading(bytes: Buffer): { readonly value: bigint; readonly size: number } | null {
  const last = bytes.subarray(0, 10).findIndex((byte) => byte < 128);
  if (last < 0) return null;
  const value = [...bytes.subarray(0, last + 1)].reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 127), 0n);
  return { value, size: last + 1 };
}

function partAt(bytes: Buffer, kind: number): { readonly value: bigint | Buffer; readonly size: number } | null {
  if (kind === 0) return leading(bytes);
  const length = kind === 2 ? leading(bytes) : null;
  const from = length?.size ?? 0;
  const size = kind === 5 ? 4 : kind === 1 ? 8 : Number(length?.value ?? -1n);
  if (size < 0 || from + size > bytes.length) return null;
  return { value: bytes.subarray(from, from + size), size: from + size };
}
