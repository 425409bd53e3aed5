/** Makes and reads the content of a backup. */
import type { StoreDump } from "../dump.ts";
import { type BackupFile, type BackupManifest, encodeBackupEntry, KEYS_FILE } from "./backup-entries.ts";

export interface BackupContentParts {
  readonly manifest: BackupManifest;
  /** Keys that open the sealed records: the passphrase of the backup is all that a restore needs. */
  readonly secretKeys: readonly Uint8Array[];
  readonly files: AsyncIterable<Pick<BackupFile, "name" | "bytes">>;
  /** Disposed at the end, and when the reader stops. */
  readonly dump: StoreDump;
}

/** Yields the content: manifest, keys, files, records. */
export async function* backupContent(parts: BackupContentParts): AsyncGenerator<Uint8Array> {
  await using dump = parts.dump;
  yield encodeBackupEntry({ kind: "manifest", manifest: parts.manifest });
  const keys = parts.secretKeys.map((key) => Buffer.from(key).toString("base64")).join("\n");
  if (keys !== "") yield encodeBackupEntry({ kind: "file", name: KEYS_FILE, bytes: Buffer.from(keys, "utf8") });
  for await (const { name, bytes } of parts.files) yield encodeBackupEntry({ kind: "file", name, bytes });
  for await (const page of dump.pages()) {
    yield Buffer.concat(page.map((record) => encodeBackupEntry({ kind: "record", ...record })));
  }
}

/** Reads the keys of a backup's file. */
export function keysIn(bytes: Uint8Array): readonly Uint8Array[] {
  const lines = Buffer.from(bytes).toString("utf8").split("\n");
  return lines.map((line) => Buffer.from(line, "base64"));
}
