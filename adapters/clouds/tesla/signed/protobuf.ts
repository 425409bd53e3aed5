/**
 * Protocol Buffers' wire format (protobuf.dev, encoding), as far as the messages of a vehicle need it: they are six, with
 * thirty fields, so that a library and its generated code would be more than this.
 */
import { CloudError } from "../../kit/session/cloud-error.ts";

const WIRE = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 } as const;
const MAX_VARINT_BYTES = 10;
const MAX_UINT32 = 0xffff_ffff;
/** More than any reply to a command; each costs some memory. */
const MAX_FIELDS = 200;

export function bytesField(field: number, value: Uint8Array): Uint8Array {
  return Buffer.concat([varint(field * 8 + WIRE.bytes), varint(value.length), value]);
}

/** A message in a message, of its fields. */
export function messageField(field: number, ...fields: readonly Uint8Array[]): Uint8Array {
  return bytesField(field, Buffer.concat(fields));
}

export function uintField(field: number, value: number): Uint8Array {
  return Buffer.concat([varint(field * 8 + WIRE.varint), varint(value)]);
}

export function fixed32Field(field: number, value: number): Uint8Array {
  const four = Buffer.alloc(4);
  four.writeUInt32LE(value);
  return Buffer.concat([varint(field * 8 + WIRE.fixed32), four]);
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Uint8Array.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}

interface Field {
  readonly field: number;
  readonly wire: number;
  /** Of a varint; a large one is not exact. */
  readonly number: number;
  /** Of everything else. */
  readonly bytes: Uint8Array;
}

/** The fields of a message. What is not known is skipped; of a field that comes twice, the last counts. */
export class Fields {
  readonly #fields: readonly Field[];

  /** Throws a `CloudError("malformed")` when the bytes are no message. */
  constructor(bytes: Uint8Array) {
    this.#fields = new Reader(bytes).fields();
  }

  bytes(field: number): Uint8Array | null {
    return this.#last(field, WIRE.bytes)?.bytes ?? null;
  }

  /** Null: there is none. Throws `malformed` when the bytes are no message. */
  message(field: number): Fields | null {
    const bytes = this.bytes(field);
    return bytes === null ? null : new Fields(bytes);
  }

  /** An unsigned number of 32 bits, or an enum; 0 when there is none, as the format has it. */
  uint(field: number): number {
    const number = this.#last(field, WIRE.varint)?.number ?? 0;
    if (number > MAX_UINT32) throw malformed(`field ${field} is too large`);
    return number;
  }

  /** 0 when there is none. */
  fixed32(field: number): number {
    const bytes = this.#last(field, WIRE.fixed32)?.bytes;
    return bytes === undefined ? 0 : Buffer.from(bytes).readUInt32LE();
  }

  #last(field: number, wire: number): Field | undefined {
    return this.#fields.findLast((one) => one.field === field && one.wire === wire);
  }
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  fields(): readonly Field[] {
    const found: Field[] = [];
    while (this.#at < this.#bytes.length) {
      if (found.length === MAX_FIELDS) throw malformed("too many fields");
      const key = this.#varint();
      const field = Math.floor(key / 8);
      if (field === 0 || key > MAX_UINT32) throw malformed("a field without a number");
      found.push({ field, wire: key % 8, ...this.#value(key % 8) });
    }
    return found;
  }

  #value(wire: number): Pick<Field, "number" | "bytes"> {
    switch (wire) {
      case WIRE.varint:
        return { number: this.#varint(), bytes: new Uint8Array() };
      case WIRE.bytes:
        return { number: 0, bytes: this.#take(this.#varint()) };
      case WIRE.fixed32:
        return { number: 0, bytes: this.#take(4) };
      case WIRE.fixed64:
        return { number: 0, bytes: this.#take(8) };
      default:
        throw malformed(`a field of the kind ${wire}`);
    }
  }

  #varint(): number {
    let value = 0;
    for (let index = 0; index < MAX_VARINT_BYTES; index += 1) {
      const [byte = 0] = this.#take(1);
      value += (byte % 128) * 128 ** index;
      if (byte < 128) return value;
    }
    throw malformed("a number without an end");
  }

  #take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw malformed("it ends early");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

function malformed(what: string): CloudError {
  return new CloudError("malformed", `a vehicle's message: ${what}`);
}
