/** The files that backups are made of, and those that they are. It stands with the other ports in `ports.ts`. */

/** A file that goes into a backup. */
export interface OwnFile {
  /** `gateway.yaml` for the configuration, `state/…` for a file of the state folder. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A backup in a folder. */
export interface StoredBackup {
  readonly name: string;
  readonly bytes: number;
  /** When it was written, wall-clock ms. */
  readonly writtenAtMs: number;
}

export interface BackupFiles {
  /** The folder of backups where the configuration names none. */
  readonly folder: string;
  /** Reads the configuration as it is written, and adapters and profiles of the state folder. Rejects with an `Error` that names the file. */
  own(): AsyncIterable<OwnFile>;
  /** The backups in a folder, newest first; none when there is no such folder. Rejects with an `Error` that names it. */
  list(folder: string): Promise<readonly StoredBackup[]>;
  /**
   * Writes a file that does not exist yet: whole or not at all, on disk when the promise resolves. Rejects with an `Error`
   * that names it, or with what the content throws.
   */
  write(folder: string, name: string, content: AsyncIterable<Uint8Array>): Promise<StoredBackup>;
  /** Reads a backup in pieces. Rejects with an `Error` that names it; `null` if there is no such file. */
  read(folder: string, name: string): Promise<AsyncIterable<Uint8Array> | null>;
  remove(folder: string, name: string): Promise<void>;
}
