/**
 * The file of a backup: a header, then its content in chunks that are encrypted and authenticated with AES-256-GCM. The key
 * is derived from the passphrase with scrypt and a salt that only this file has. The nonce of a chunk is its number, and a
 * byte that marks the last one, so that chunks cannot be reordered, left out or cut off without notice.
 *
 * Header: `HEMGBKUP`, format version (1 byte), salt (16), check of the key (16), CRC-32 of all that (4).
 */
import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Random } from "../../platform/ports/ports.ts";
import { BackupError } from "./backup-error.ts";

const MAGIC = Buffer.from("HEMGBKUP", "latin1");
const FORMAT_VERSION = 1;
const SALT_BYTES = 16;
const CHECK_BYTES = 16;
const CRC_BYTES = 4;
const VERSION_AT = MAGIC.length;
const SALT_AT = VERSION_AT + 1;
const CHECK_AT = SALT_AT + SALT_BYTES;
const CRC_AT = CHECK_AT + CHECK_BYTES;
const HEADER_BYTES = CRC_AT + CRC_BYTES;

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** Plain bytes of each chunk but the last, which may have fewer. */
export const CHUNK_BYTES = 64 * 1024;
const SEALED_CHUNK_BYTES = CHUNK_BYTES + TAG_BYTES;
/** The number of a chunk has four bytes in the nonce. */
const MAX_CHUNKS = 2 ** 32;

/** Fewer characters can be guessed from the file alone. */
export const MIN_PASSPHRASE_CHARACTERS = 12;

export interface BackupSecret {
  readonly passphrase: string;
  readonly random: Pick<Random, "secretBytes" | "scrypt">;
}

type Bytes = AsyncIterable<Uint8Array>;

/** Encrypts content. Its pieces may have any size; memory is bounded by one piece and one chunk. */
export async function* sealBackup(content: Bytes, { passphrase, random }: BackupSecret): AsyncGenerator<Uint8Array> {
  const salt = random.secretBytes(SALT_BYTES);
  const keys = await keysOf(passphrase, salt, random);
  const header = headerOf(salt, keys.check);
  let number = 0;
  for await (const { bytes, isLast } of chunksOf(content, CHUNK_BYTES)) {
    // The content has begun by then: what it has opened is closed with it.
    if (number === 0) yield header;
    yield sealChunk(keys.content, header, number, isLast, bytes);
    number += 1;
    if (number >= MAX_CHUNKS) throw new RangeError("the backup has too many chunks");
  }
}

/**
 * Decrypts the bytes of a backup file. Each piece is authentic when it is yielded; the content is complete only when the
 * generator ends. Throws a `BackupError`.
 */
export async function* openBackup(file: Bytes, { passphrase, random }: BackupSecret): AsyncGenerator<Uint8Array> {
  await using source = splitHeader(file);
  const { value: header } = await source.next();
  requireHeader(header ?? Buffer.alloc(0));
  const salt = (header as Buffer).subarray(SALT_AT, CHECK_AT);
  const keys = await keysOf(passphrase, salt, random);
  if (!timingSafeEqual(keys.check, (header as Buffer).subarray(CHECK_AT, CRC_AT))) {
    throw new BackupError(
      "passphrase",
      "the backup does not open with this passphrase; use the one that it was made with. Nobody can open it without",
    );
  }
  let number = 0;
  for await (const { bytes, isLast } of chunksOf(source, SEALED_CHUNK_BYTES)) {
    yield openChunk(keys.content, header as Buffer, number, isLast, bytes);
    number += 1;
  }
}

interface FileKeys {
  readonly content: Uint8Array;
  /** Tells a wrong passphrase from a changed file; says nothing about the key of the content. */
  readonly check: Uint8Array;
}

async function keysOf(passphrase: string, salt: Uint8Array, random: Pick<Random, "scrypt">): Promise<FileKeys> {
  // The same passphrase, whichever keyboard composed its letters.
  const root = await random.scrypt(passphrase.normalize("NFC"), salt);
  const derive = (use: string): Buffer => createHmac("sha256", root).update(`hemgate backup ${use}`).digest();
  return { content: derive("content"), check: derive("check").subarray(0, CHECK_BYTES) };
}

function headerOf(salt: Uint8Array, check: Uint8Array): Buffer {
  const header = Buffer.concat([MAGIC, Buffer.of(FORMAT_VERSION), salt, check, Buffer.alloc(CRC_BYTES)]);
  header.writeUInt32BE(crc32(header.subarray(0, CRC_AT)), CRC_AT);
  return header;
}

function requireHeader(header: Uint8Array): void {
  const bytes = Buffer.from(header);
  const start = bytes.subarray(0, MAGIC.length);
  if (!MAGIC.subarray(0, start.length).equals(start) || start.length === 0) {
    throw new BackupError("foreign", "this is no backup of hemgate; name a file that `hemgate backup create` made");
  }
  const version = bytes[VERSION_AT];
  if (version !== undefined && version > FORMAT_VERSION) {
    const known = `this one reads up to format ${FORMAT_VERSION}`;
    throw new BackupError(
      "newer",
      `a newer hemgate wrote this backup (format ${version}, ${known}); update hemgate first`,
    );
  }
  if (bytes.length < HEADER_BYTES) throw cut();
  if (version !== FORMAT_VERSION || crc32(bytes.subarray(0, CRC_AT)) !== bytes.readUInt32BE(CRC_AT)) throw changed();
}

function sealChunk(key: Uint8Array, header: Buffer, number: number, isLast: boolean, plain: Uint8Array): Buffer {
  const cipher = createCipheriv(CIPHER, key, nonceOf(number, isLast), { authTagLength: TAG_BYTES });
  cipher.setAAD(header);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function openChunk(key: Uint8Array, header: Buffer, number: number, isLast: boolean, sealed: Uint8Array): Uint8Array {
  const plain = tryChunk(key, header, number, isLast, sealed);
  if (plain !== null) return plain;
  // It is the last one of the file, and authentic as one that others follow.
  if (isLast && tryChunk(key, header, number, false, sealed) !== null) throw cut();
  if (isLast && sealed.length < SEALED_CHUNK_BYTES) {
    throw new BackupError("changed", `${DAMAGED}, or its end is missing; take another backup, or copy it again`);
  }
  throw changed();
}

function tryChunk(
  key: Uint8Array,
  header: Buffer,
  number: number,
  isLast: boolean,
  sealed: Uint8Array,
): Uint8Array | null {
  if (sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, nonceOf(number, isLast), { authTagLength: TAG_BYTES });
  decipher.setAAD(header);
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const plain = decipher.update(sealed.subarray(0, sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return null;
  }
}

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES - 5);
  nonce[NONCE_BYTES - 1] = isLast ? 1 : 0;
  return nonce;
}

const DAMAGED = "the backup file was changed after it was written";

function changed(): BackupError {
  return new BackupError("changed", `${DAMAGED}; take another backup, or copy it again from where it was written`);
}

function cut(): BackupError {
  return new BackupError("cut", "the end of the backup file is missing; copy it again, or take another backup");
}

/** Yields the header as one piece, or all there is if the file is shorter; then the rest as it comes. */
async function* splitHeader(file: Bytes): AsyncGenerator<Buffer> {
  let start: Buffer | null = Buffer.alloc(0);
  for await (const piece of file) {
    if (start === null) {
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength);
      continue;
    }
    start = Buffer.concat([start, piece]);
    if (start.length < HEADER_BYTES) continue;
    yield start.subarray(0, HEADER_BYTES);
    yield start.subarray(HEADER_BYTES);
    start = null;
  }
  if (start !== null) yield start;
}

/** Regroups bytes into chunks of one size. There is always a last one, which has that size or less. */
async function* chunksOf(
  source: Bytes,
  size: number,
): AsyncGenerator<{ readonly bytes: Uint8Array; readonly isLast: boolean }> {
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const piece of source) {
    if (piece.length === 0) continue;
    waiting.push(piece);
    length += piece.length;
    // A whole chunk waits until it is known whether it is the last one.
    if (length <= size) continue;
    const all = Buffer.concat(waiting);
    let at = 0;
    for (; all.length - at > size; at += size) yield { bytes: all.subarray(at, at + size), isLast: false };
    waiting = [all.subarray(at)];
    length = all.length - at;
  }
  yield { bytes: Buffer.concat(waiting), isLast: true };
}
