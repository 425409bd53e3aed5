import type { StoredBackup } from "../../platform/ports/backup-files-port.ts";

/** A backup that is being made. */
export interface OpenedBackup extends AsyncIterable<Uint8Array>, AsyncDisposable {}

/** Backups of the whole gateway: configuration, keys, and both databases, in one encrypted file each. */
export interface Backups {
  /**
   * Takes the copy of the databases now, and returns the encrypted file of it, which is read while the gateway works. The caller
   * reads it to its end or disposes it. Rejects with `bad-request` for a short passphrase, and with a `StorageError`.
   */
  open(passphrase: string): Promise<OpenedBackup>;
  /**
   * Writes a backup into the configured folder, and removes the oldest beyond those to keep. Without a passphrase the
   * configured one is used. Rejects with `bad-request`, with `conflict` while another one is written, with a `StorageError`,
   * and with an `Error` that names the file if the disk refuses.
   */
  create(passphrase: string | null): Promise<StoredBackup>;
  /** The backups in the folder, newest first. Rejects with an `Error` that names the folder. */
  list(): Promise<readonly StoredBackup[]>;
  /** Reads a backup of the folder. Rejects with `not-found`. */
  read(name: string): Promise<AsyncIterable<Uint8Array>>;
  /** Why the last scheduled backup was not made, for people; `null` if it was, or none was due since the start. */
  readonly failure: string | null;
  /** Wall-clock ms of the last scheduled backup that was made since the start; `null` before the first. */
  readonly lastMadeAtMs: number | null;
}
