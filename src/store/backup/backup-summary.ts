/** Reads a backup to its end, and says what is in it. */
import { type BackupManifest, CONFIG_FILE, decodeBackupEntries, KEYS_FILE } from "./backup-entries.ts";
import { type BackupSecret, openBackup } from "./backup-file.ts";

/** What is in a backup, in numbers and names. */
export interface BackupContents extends BackupManifest {
  readonly hasConfiguration: boolean;
  readonly hasKeys: boolean;
  /** Files of the state folder. */
  readonly files: readonly string[];
  /** Records of the database that decides about control. */
  readonly records: number;
  /** Blocks of history. */
  readonly history: number;
}

/** Decrypts all of a backup and writes nothing. Throws a `BackupError`, and what reading the file throws. */
export async function readBackupContents(
  file: AsyncIterable<Uint8Array>,
  secret: BackupSecret,
): Promise<BackupContents> {
  let manifest: BackupManifest = { software: null, createdAt: "" };
  const files: string[] = [];
  const count = { critical: 0, telemetry: 0 };
  for await (const entry of decodeBackupEntries(openBackup(file, secret))) {
    if (entry.kind === "manifest") manifest = entry.manifest;
    else if (entry.kind === "file") files.push(entry.name);
    else count[entry.database] += 1;
  }
  return {
    ...manifest,
    hasConfiguration: files.includes(CONFIG_FILE),
    hasKeys: files.includes(KEYS_FILE),
    files: files.filter((name) => name !== CONFIG_FILE && name !== KEYS_FILE),
    records: count.critical,
    history: count.telemetry,
  };
}
