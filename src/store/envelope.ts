/**
 * What stands around every stored value: format byte, checksum, its place in the journal, payload. The checksum covers
 * the key too, so that a value written to the wrong place is found.
 */
import { crc32 } from "node:zlib";
import { StorageError } from "../platform/storage-error.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";

/** A position in the journal. */
export interface Place {
  readonly epoch: number;
  readonly seq: number;
}

const FORMAT = 1;
const HEADER_BYTES = 5;

/** Wraps a payload for its key. */
export function seal(key: string, place: Place, payload: Uint8Array): Uint8Array {
  const body = new ByteWriter();
  body.varint(place.epoch);
  body.varint(place.seq);
  body.bytes(payload);
  const bytes = body.finish();
  const sealed = new ByteWriter();
  sealed.byte(FORMAT);
  sealed.uint32(checksum(key, bytes));
  sealed.bytes(bytes);
  return sealed.finish();
}

/** Takes the payload out again. Throws a `StorageError("damaged")` that names the key. */
export function unseal(key: string, sealed: Uint8Array): { readonly place: Place; readonly payload: Uint8Array } {
  if (sealed.length < HEADER_BYTES) throw damaged(key, `${sealed.length} bytes are too few`);
  const reader = new ByteReader(sealed);
  const format = reader.byte();
  const expected = reader.uint32();
  const body = sealed.subarray(HEADER_BYTES);
  if (checksum(key, body) !== expected) throw damaged(key, "checksum does not match");
  if (format !== FORMAT) throw damaged(key, `format ${format} is unknown`);
  const place = { epoch: reader.varint(), seq: reader.varint() };
  return { place, payload: reader.bytes(reader.left) };
}

/** Wraps a value as JSON. A value that JSON does not know at all is null. */
export function sealJson(key: string, place: Place, value: unknown): Uint8Array {
  return seal(key, place, Buffer.from(JSON.stringify(value) ?? "null", "utf8"));
}

export function unsealJson(key: string, sealed: Uint8Array): unknown {
  const { payload } = unseal(key, sealed);
  try {
    return JSON.parse(Buffer.from(payload).toString("utf8"));
  } catch (error) {
    throw new StorageError("damaged", `${key}: the checksum matches and the value is not JSON`, { cause: error });
  }
}

function checksum(key: string, body: Uint8Array): number {
  return crc32(body, crc32(key));
}

function damaged(key: string, reason: string): StorageError {
  return new StorageError("damaged", `${key}: ${reason}`);
}
