/** What a backup has in it: a manifest, then files and records, each framed by its length. */
import { z } from "zod";
import type { DatabaseName } from "../../platform/ports/ports.ts";
import { StorageError } from "../../platform/ports/storage-error.ts";
import { ByteReader, ByteWriter } from "../bytes.ts";
import { BackupError } from "./backup-error.ts";

const KINDS = { manifest: 1, file: 2, record: 3 } as const;
const DATABASES: readonly DatabaseName[] = ["critical", "telemetry"];
const LENGTH_BYTES = 4;
/** Far above the largest record and file. */
const MAX_ENTRY_BYTES = 64 * 1024 * 1024;

/** Name of the file with the keys that seal the secrets among the records. */
export const KEYS_FILE = "keys";
/** Name of the configuration, as it was written. */
export const CONFIG_FILE = "gateway.yaml";
/** Before the names of files of the state folder, such as `state/profiles/meter.yaml`. */
export const STATE_PREFIX = "state/";

export const BackupManifest = z.object({
  /** Version of the hemgate that wrote it; `null` if it does not know its version. */
  software: z.string().nullable(),
  /** ISO 8601 in UTC, by the clock of that gateway. */
  createdAt: z.string(),
});
export type BackupManifest = z.infer<typeof BackupManifest>;

export interface BackupRecord {
  readonly kind: "record";
  readonly database: DatabaseName;
  readonly key: string;
  /** As it is in the database: in its envelope, sealed if it is a secret. */
  readonly value: Uint8Array;
}

export interface BackupFile {
  readonly kind: "file";
  readonly name: string;
  readonly bytes: Uint8Array;
}

export type BackupEntry = { readonly kind: "manifest"; readonly manifest: BackupManifest } | BackupFile | BackupRecord;

/** Encodes an entry with its length. */
export function encodeBackupEntry(entry: BackupEntry): Uint8Array {
  const body = new ByteWriter();
  body.byte(KINDS[entry.kind]);
  if (entry.kind === "manifest") body.text(JSON.stringify(entry.manifest));
  else if (entry.kind === "file") {
    body.text(entry.name);
    body.bytes(entry.bytes);
  } else {
    body.byte(DATABASES.indexOf(entry.database));
    body.text(entry.key);
    body.bytes(entry.value);
  }
  const framed = new ByteWriter();
  framed.uint32(body.length);
  framed.bytes(body.finish());
  return framed.finish();
}

/** Decodes entries from bytes in pieces of any size. The first is the manifest. Throws a `BackupError`. */
export async function* decodeBackupEntries(content: AsyncIterable<Uint8Array>): AsyncGenerator<BackupEntry> {
  let buffer: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const piece of content) {
    buffer = Buffer.concat([buffer, piece]);
    let at = 0;
    for (let end = endOfEntry(buffer, at); end !== null; end = endOfEntry(buffer, at)) {
      const entry = decoded(buffer.subarray(at + LENGTH_BYTES, end));
      if (isFirst !== (entry.kind === "manifest")) throw unreadable(null);
      isFirst = false;
      yield entry;
      at = end;
    }
    buffer = buffer.subarray(at);
  }
  if (buffer.length > 0 || isFirst) throw unreadable(null);
}

/** Returns where the entry at this place ends; `null` if the buffer does not have all of it. */
function endOfEntry(buffer: Buffer, at: number): number | null {
  if (buffer.length - at < LENGTH_BYTES) return null;
  const length = buffer.readUInt32BE(at);
  if (length > MAX_ENTRY_BYTES) throw unreadable(null);
  const end = at + LENGTH_BYTES + length;
  return end <= buffer.length ? end : null;
}

function decoded(body: Buffer): BackupEntry {
  try {
    const reader = new ByteReader(body);
    const kind = reader.byte();
    if (kind === KINDS.manifest) {
      return { kind: "manifest", manifest: BackupManifest.parse(JSON.parse(reader.text())) };
    }
    if (kind === KINDS.file) return { kind: "file", name: reader.text(), bytes: reader.bytes(reader.left) };
    const database = DATABASES[reader.byte()];
    if (kind !== KINDS.record || database === undefined) throw unreadable(null);
    return { kind: "record", database, key: reader.text(), value: reader.bytes(reader.left) };
  } catch (error) {
    if (error instanceof StorageError || error instanceof SyntaxError || error instanceof z.ZodError) {
      throw unreadable(error);
    }
    throw error;
  }
}

/** Its bytes are authentic: only another version of hemgate can have written them. */
function unreadable(cause: unknown): BackupError {
  const message = "this version of hemgate does not understand the content of this backup; update hemgate first";
  return new BackupError("newer", message, { cause });
}
