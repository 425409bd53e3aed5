/** The type-length fields of SML's binary coding (SML 1.04, part 6.3). */

export type SmlValue =
  | { readonly kind: "absent" }
  /** The 00 that ends a message. */
  | { readonly kind: "end" }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "boolean"; readonly value: boolean }
  | { readonly kind: "integer"; readonly value: number; readonly bytes: Uint8Array }
  | { readonly kind: "list"; readonly items: readonly SmlValue[] };

/** What is no SML, and where. */
export class SmlError extends Error {
  override readonly name = "SmlError";
}

export interface SmlRead {
  readonly value: SmlValue;
  /** Where the next value begins. */
  readonly end: number;
}

const MORE = 0x80;
const TYPE = { bytes: 0, boolean: 4, signed: 5, unsigned: 6, list: 7 } as const;
/** A file has five levels. */
const MAX_DEPTH = 12;
const MAX_NUMBER_BYTES = 8;
/** Type-length fields with more bytes mean lengths that no file has. */
const MAX_FIELD_BYTES = 3;

/** Reads one value. Throws an `SmlError` when there is none at that place. */
export function readSml(bytes: Uint8Array, start: number, depth = 0): SmlRead {
  if (depth > MAX_DEPTH) throw new SmlError(`byte ${start}: lists in lists, more than ${MAX_DEPTH} deep`);
  const { type, length, at } = readField(bytes, start);
  if (type === TYPE.list) return readList(bytes, at, length, depth);
  // The length counts the field itself.
  const end = start + length;
  if (bytes[start] === 0) return { value: { kind: "end" }, end: at };
  if (end < at) throw new SmlError(`byte ${start}: a length of ${length}`);
  if (end > bytes.length) throw new SmlError(`byte ${start}: ${length} bytes, but the file ends before`);
  return { value: plainValue(type, bytes.subarray(at, end), start), end };
}

function readField(bytes: Uint8Array, start: number): { type: number; length: number; at: number } {
  let at = start;
  let length = 0;
  let byte = MORE;
  while ((byte & MORE) !== 0) {
    const next = bytes[at];
    if (next === undefined) throw new SmlError(`byte ${at}: the file ends before a value`);
    if (at - start >= MAX_FIELD_BYTES) throw new SmlError(`byte ${start}: a length without end`);
    byte = next;
    length = (length << 4) | (byte & 0x0f);
    at += 1;
  }
  return { type: ((bytes[start] ?? 0) >> 4) & 0x07, length, at };
}

function readList(bytes: Uint8Array, start: number, length: number, depth: number): SmlRead {
  const items: SmlValue[] = [];
  let at = start;
  for (let count = 0; count < length; count += 1) {
    const { value, end } = readSml(bytes, at, depth + 1);
    items.push(value);
    at = end;
  }
  return { value: { kind: "list", items }, end: at };
}

function plainValue(type: number, content: Uint8Array, start: number): SmlValue {
  switch (type) {
    case TYPE.bytes:
      return content.length === 0 ? { kind: "absent" } : { kind: "bytes", bytes: content };
    case TYPE.boolean:
      return { kind: "boolean", value: content.some((byte) => byte !== 0) };
    case TYPE.signed:
    case TYPE.unsigned:
      return { kind: "integer", value: integer(content, type === TYPE.signed, start), bytes: content };
    default:
      throw new SmlError(`byte ${start}: type ${type} means nothing`);
  }
}

/** Meters leave leading bytes away: 3, 5 or 6 bytes are as good as 4 or 8. */
function integer(content: Uint8Array, isSigned: boolean, start: number): number {
  if (content.length === 0 || content.length > MAX_NUMBER_BYTES) {
    throw new SmlError(`byte ${start}: a number of ${content.length} bytes`);
  }
  let value = 0n;
  for (const byte of content) value = (value << 8n) | BigInt(byte);
  return Number(isSigned ? BigInt.asIntN(content.length * 8, value) : value);
}
