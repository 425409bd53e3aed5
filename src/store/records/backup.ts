import type { BackupCause } from "../../domain/backup/backup-cause.ts";

/** What the gateway keeps about its backups; there is one record, with the key `state`. */
export interface BackupStateRecord {
  /** The cron expression and the time zone that `staleAtMs` was computed for. */
  readonly schedule: string;
  /** The last scheduled backup; `null` if none was due yet. A backup that is made later puts a failure right. */
  readonly last: {
    readonly atMs: number;
    readonly failure: string | null;
    /** Absent in records of earlier versions. */
    readonly cause?: BackupCause | null;
    /** It is in the folder, and what failed is its upload. */
    readonly isStored?: boolean;
  } | null;
  /** Wall-clock ms of the last backup that opens with the configured passphrase; `null` if there was none. */
  readonly madeAtMs: number | null;
  /** Wall-clock ms of the second scheduled time after `madeAtMs`, or after the schedule was set. */
  readonly staleAtMs: number | null;
  /** The finding about it was dismissed, until a backup is made. */
  readonly isDismissed: boolean;
  readonly verified: readonly VerifiedBackup[];
}

/** A backup that was read to its end. It counts while size and time of the file are the same. */
export interface VerifiedBackup {
  readonly name: string;
  readonly bytes: number;
  /** Wall-clock ms. */
  readonly writtenAtMs: number;
  /** Wall-clock ms. */
  readonly atMs: number;
  /** What is wrong with the file, for people; `null` if it is whole. */
  readonly failure: string | null;
  /** Absent in records of earlier versions. */
  readonly cause?: BackupCause | null;
}
