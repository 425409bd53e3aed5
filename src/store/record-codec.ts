/**
 * Encodes records: in clear text, or sealed with AES-256-GCM if the table contains secrets. The seal covers the
 * record's key and its place in the journal, so a record that is moved to another key does not open. It does not
 * prevent that somebody with access to the disk restores an older record.
 */
import { createCipheriv, createDecipheriv, createHmac } from "node:crypto";
import type { Random } from "../platform/ports/ports.ts";
import { StorageError } from "../platform/ports/storage-error.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";
import { type Place, seal, unseal } from "./envelope.ts";

const CIPHER = "aes-256-gcm";
/** The key length of AES-256. */
const SECRET_KEY_BYTES = 32;
const KEY_ID_BYTES = 8;
/** NIST SP 800-38D: 96 random bits suffice for 2^32 records per key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** A decoded record. */
export type StoredRecord =
  /** `isCurrent`: it is stored in the form and with the key that would be used now. */
  | { readonly kind: "open"; readonly json: string; readonly isCurrent: boolean }
  /** The key is missing, or the record was changed; `reason` says which. */
  | { readonly kind: "locked"; readonly reason: string };

interface KnownKey {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export interface CodecOptions {
  /** 32 bytes each: the first one seals, all can open. None: nothing is sealed, and sealed records do not open. */
  readonly keys: readonly Uint8Array[];
  readonly random: Pick<Random, "secretBytes">;
  /** Returns true if a table contains secrets. */
  isSealed(table: string): boolean;
}

/** Encodes and decodes records. */
export class RecordCodec {
  readonly #keys: ReadonlyMap<string, KnownKey>;
  readonly #first: KnownKey | null;
  readonly #random: Pick<Random, "secretBytes">;
  readonly #isSealed: (table: string) => boolean;

  /** Throws a `RangeError` for a key of another length. */
  constructor({ keys, random, isSealed }: CodecOptions) {
    const known = keys.map((bytes): KnownKey => ({ id: secretKeyId(bytes), bytes }));
    this.#keys = new Map(known.map((key) => [key.id, key]));
    this.#first = known[0] ?? null;
    this.#random = random;
    this.#isSealed = isSealed;
  }

  /** Id of the key that seals; `null` if nothing is sealed. */
  get firstKeyId(): string | null {
    return this.#first?.id ?? null;
  }

  /** Encodes a record; `key` is its full key in the database. */
  encode(table: string, key: string, place: Place, json: string): Uint8Array {
    const text = Buffer.from(json, "utf8");
    const sealing = this.#sealingOf(table);
    return sealing === null
      ? seal(key, place, text)
      : seal(key, place, this.#encrypt(sealing, key, place, text), "sealed");
  }

  /** Decodes a record. Throws a `StorageError("damaged")` if the checksum is wrong. */
  decode(table: string, key: string, stored: Uint8Array): StoredRecord {
    const { form, place, payload } = unseal(key, stored);
    const currentKeyId = this.#sealingOf(table)?.id ?? null;
    if (form === "clear") return { kind: "open", json: textOf(payload), isCurrent: currentKeyId === null };
    const { keyId, ...box } = boxOf(payload);
    const known = this.#keys.get(keyId);
    if (known === undefined) return { kind: "locked", reason: `sealed with the key ${keyId}, which is missing` };
    const text = decrypt(known, aad(keyId, key, place), box);
    if (text === null) return { kind: "locked", reason: `changed after it was sealed with the key ${keyId}` };
    return { kind: "open", json: textOf(text), isCurrent: keyId === currentKeyId };
  }

  /** Encodes damaged bytes that are put aside: sealed if they may contain a secret. */
  encodeAside(table: string, key: string, place: Place, bytes: Uint8Array): Uint8Array {
    const sealing = this.#sealingOf(table);
    if (sealing === null || this.#isSealedForm(key, bytes)) return bytes;
    return seal(key, place, this.#encrypt(sealing, key, place, bytes), "sealed");
  }

  #isSealedForm(key: string, bytes: Uint8Array): boolean {
    try {
      return unseal(key, bytes).form === "sealed";
    } catch (error) {
      if (error instanceof StorageError && error.kind === "damaged") return false;
      throw error;
    }
  }

  #sealingOf(table: string): KnownKey | null {
    return this.#isSealed(table) ? this.#first : null;
  }

  #encrypt({ id, bytes }: KnownKey, key: string, place: Place, text: Uint8Array): Uint8Array {
    const nonce = this.#random.secretBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(aad(id, key, place));
    const encrypted = [cipher.update(text), cipher.final()];
    return Buffer.concat([Buffer.from(id, "hex"), nonce, cipher.getAuthTag(), ...encrypted]);
  }
}

/** Returns the id of a key for messages and sealed records; 16 hex digits that reveal nothing about the key. */
export function secretKeyId(key: Uint8Array): string {
  if (key.length !== SECRET_KEY_BYTES) throw new RangeError(`a secret key has ${SECRET_KEY_BYTES} bytes`);
  return createHmac("sha256", key).update("hemgate key id").digest().subarray(0, KEY_ID_BYTES).toString("hex");
}

interface Box {
  readonly nonce: Uint8Array;
  readonly tag: Uint8Array;
  readonly encrypted: Uint8Array;
}

function boxOf(payload: Uint8Array): Box & { readonly keyId: string } {
  const reader = new ByteReader(payload);
  return {
    keyId: Buffer.from(reader.bytes(KEY_ID_BYTES)).toString("hex"),
    nonce: reader.bytes(NONCE_BYTES),
    tag: reader.bytes(TAG_BYTES),
    encrypted: reader.bytes(reader.left),
  };
}

/** Decrypts a box; `null` if it was changed or sealed with another key. */
function decrypt({ bytes }: KnownKey, associated: Uint8Array, { nonce, tag, encrypted }: Box): Uint8Array | null {
  const decipher = createDecipheriv(CIPHER, bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(associated);
  decipher.setAuthTag(tag);
  const text = decipher.update(encrypted);
  try {
    return Buffer.concat([text, decipher.final()]);
  } catch {
    return null;
  }
}

function aad(keyId: string, key: string, place: Place): Uint8Array {
  const writer = new ByteWriter();
  writer.text(keyId);
  writer.text(key);
  writer.varint(place.epoch);
  writer.varint(place.seq);
  return writer.finish();
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("utf8");
}
