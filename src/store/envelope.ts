/**
 * The envelope of each stored value: format byte, checksum, place in the journal, payload. The checksum covers the key
 * too, so that a value at the wrong key is detected.
 */
import { crc32 } from "node:zlib";
import { StorageError } from "../platform/ports/storage-error.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";

/** A position in the journal. */
export interface Place {
  readonly epoch: number;
  readonly seq: number;
}

/** The form of the payload: clear text, sealed by `RecordCodec`, or compressed by the journal. */
export type Form = "clear" | "sealed" | "packed";

const FORMATS: Readonly<Record<Form, number>> = { clear: 1, sealed: 2, packed: 3 };
const FORMS = Object.keys(FORMATS) as readonly Form[];
const HEADER_BYTES = 5;
/** Bits for the sequence number of a place. */
const SEQ_BITS = 64n;

/** Wraps a payload in an envelope for its key. */
export function seal(key: string, place: Place, payload: Uint8Array, form: Form = "clear"): Uint8Array {
  const body = new ByteWriter();
  body.varint(place.epoch);
  body.varint(place.seq);
  body.bytes(payload);
  const bytes = body.finish();
  const sealed = new ByteWriter();
  sealed.byte(FORMATS[form]);
  sealed.uint32(checksum(key, bytes));
  sealed.bytes(bytes);
  return sealed.finish();
}

/** Unwraps a payload. Throws a `StorageError("damaged")` that names the key. */
export function unseal(key: string, sealed: Uint8Array): Unsealed {
  if (sealed.length < HEADER_BYTES) throw damaged(key, `only ${sealed.length} bytes`);
  const reader = new ByteReader(sealed);
  const format = reader.byte();
  const expected = reader.uint32();
  const body = sealed.subarray(HEADER_BYTES);
  if (checksum(key, body) !== expected) throw damaged(key, "checksum does not match");
  const form = formOf(format);
  if (form === null) throw damaged(key, `format ${format} is unknown`);
  const place = { epoch: reader.varint(), seq: reader.varint() };
  return { form, place, payload: reader.bytes(reader.left) };
}

/** Returns a number that grows with the place at which a value was written; `null` if the value is damaged. */
export function ageOf(key: string, sealed: Uint8Array): bigint | null {
  try {
    const { place } = unseal(key, sealed);
    return (BigInt(place.epoch) << SEQ_BITS) + BigInt(place.seq);
  } catch (error) {
    if (error instanceof StorageError) return null;
    throw error;
  }
}

interface Unsealed {
  readonly form: Form;
  readonly place: Place;
  readonly payload: Uint8Array;
}

function formOf(format: number): Form | null {
  return FORMS.find((form) => FORMATS[form] === format) ?? null;
}

/** Wraps a value as JSON. A value without a JSON form is stored as null. */
export function sealJson(key: string, place: Place, value: unknown): Uint8Array {
  return seal(key, place, Buffer.from(JSON.stringify(value) ?? "null", "utf8"));
}

/** Unwraps a value that `sealJson` wrapped. Throws a `StorageError("damaged")` that names the key. */
export function unsealJson(key: string, sealed: Uint8Array): unknown {
  return parseJson(key, Buffer.from(unseal(key, sealed).payload).toString("utf8"));
}

/** Parses JSON. Throws a `StorageError("damaged")` that names the key. */
export function parseJson(key: string, json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new StorageError("damaged", `${key}: the checksum is valid but the value is not JSON`, { cause: error });
  }
}

function checksum(key: string, body: Uint8Array): number {
  return crc32(body, crc32(key));
}

function damaged(key: string, reason: string): StorageError {
  return new StorageError("damaged", `${key}: ${reason}`);
}
