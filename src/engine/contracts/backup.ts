import type { BackupCause } from "../../domain/backup/backup-cause.ts";
import type { MeasuredText } from "../../domain/checks/measured-text.ts";
import type { StoredBackup } from "../../platform/ports/backup-files-port.ts";
import type { CronTime } from "../../platform/ports/cron-port.ts";
import type { BackupStateRecord, VerifiedBackup } from "../../store/records/backup.ts";

/** A backup that is being made. */
export interface OpenedBackup extends AsyncIterable<Uint8Array>, AsyncDisposable {}

/** Work on a backup that takes a while. There is one at a time; the last one stays known until the next, or a restart. */
export interface BackupTask {
  /** `create`: a backup is written, then read to its end. `verify`: one of the folder is read to its end. */
  readonly kind: "create" | "verify";
  readonly isScheduled: boolean;
  /** The name of the file. */
  readonly name: string;
  /** `upload`: the backup is in the folder, and goes to the WebDAV server. */
  readonly step: "write" | "read" | "upload";
  readonly state: "running" | "done" | "failed";
  /** Bytes of the file that are written, read or uploaded in this step. */
  readonly doneBytes: number;
  /** What `doneBytes` will be at the end of the step: exact while reading and uploading; as the newest backup, or `null`, while writing. */
  readonly expectedBytes: number | null;
  /** Wall-clock ms. */
  readonly startedAtMs: number;
  /** Wall-clock ms; `null` while it runs. */
  readonly endedAtMs: number | null;
  /** What went wrong and what to do, for people; `null` if nothing did. */
  readonly failure: string | null;
  /** Its code; `null` if nothing went wrong. */
  readonly cause: BackupCause | null;
}

/** A backup of the folder. */
export interface ListedBackup extends StoredBackup {
  /** How the file was when it was last read to its end; `null` if it was not since it was written. */
  readonly verified: Required<Pick<VerifiedBackup, "atMs" | "failure" | "cause">> | null;
}

export interface BackupsState {
  readonly folder: string;
  /** How many of the backups that it made the gateway keeps in the folder. */
  readonly keep: number;
  /** The configuration has a passphrase. */
  readonly hasPassphrase: boolean;
  /** `null` if none is configured. */
  readonly schedule: (CronTime & Pick<BackupStateRecord, "last"> & { readonly nextAtMs: number }) | null;
  readonly task: BackupTask | null;
  /** URL of the folder that backups are uploaded to; `null` if none is configured. */
  readonly webdav: string | null;
}

/** A backup on the WebDAV server. */
export interface UploadedBackup {
  readonly name: string;
  /** `null` if the server does not say. */
  readonly bytes: number | null;
}

/** What is wrong with the scheduled backups. */
export interface BackupFinding {
  readonly id: "backup-schedule";
  /** What happened and what to do, in English. */
  readonly text: string;
  readonly words: MeasuredText;
  readonly state: "OPEN" | "DISMISSED";
  /** Wall-clock ms. */
  readonly sinceMs: number;
}

/** The findings about the scheduled backups. */
export interface BackupFindings {
  /** Returns what is wrong: the last one was not made, or two were due since the last one was; `null` if all is well. */
  finding(): BackupFinding | null;
  /** Marks the finding as seen, until a backup is made. Throws `not-found`. */
  dismiss(): Promise<BackupFinding>;
}

/** Backups of the whole gateway: configuration, keys, and both databases, in one encrypted file each. */
export interface Backups extends BackupFindings {
  /**
   * Takes the copy of the databases now, and returns the encrypted file of it, which is read while the gateway works. The caller
   * reads it to its end or disposes it. Rejects with `bad-request` for a short passphrase, and with a `StorageError`.
   */
  open(passphrase: string): Promise<OpenedBackup>;
  state(): BackupsState;
  /** The backups in the folder, newest first. Rejects with `service-unavailable` if the folder cannot be read. */
  list(): Promise<readonly ListedBackup[]>;
  /**
   * Begins to write a backup into the folder and to read it again, and then removes the oldest beyond those to keep, and uploads
   * it where a WebDAV server is configured. Without a passphrase the configured one is used. Throws `bad-request`, and `conflict` while another task runs.
   */
  create(passphrase: string | null): BackupTask;
  /** Begins to read a backup to its end. Rejects with `not-found`, `bad-request`, and `conflict` while another task runs. */
  verify(name: string, passphrase: string | null): Promise<BackupTask>;
  /**
   * Asks the WebDAV server for the backups there, newest first. Rejects with `not-found` if none is configured, and with
   * `service-unavailable` and what to do.
   */
  listUploaded(): Promise<readonly UploadedBackup[]>;
  /** Reads a backup of the folder as it is, encrypted. Rejects with `not-found`, or `service-unavailable`. */
  read(name: string): Promise<{ readonly bytes: number; readonly content: AsyncIterable<Uint8Array> }>;
  /** Removes a backup of the folder. Rejects with `not-found`, `conflict` while it is in use, or `service-unavailable`. */
  remove(name: string): Promise<void>;
}
