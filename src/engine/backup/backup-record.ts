/** How the scheduled backups went, and which files are whole: kept over restarts. */
import type { BackupCause } from "../../domain/backup/backup-cause.ts";
import { type MeasuredText, measured } from "../../domain/checks/measured-text.ts";
import { problem } from "../../domain/problem.ts";
import type { CronTime } from "../../platform/ports/cron-port.ts";
import type { Clock, Cron, Log } from "../../platform/ports/ports.ts";
import type { BackupStateRecord, VerifiedBackup } from "../../store/records/backup.ts";
import type { NewJournalEntry, OpenedStore } from "../../store/store.ts";
import type { BackupFinding, BackupFindings } from "../contracts/backup.ts";

const TABLE = "backup";
const KEY = "state";
/** A backup is too old when this many were due since it was made. */
const MISSED = 2;
const NONE: BackupStateRecord = {
  schedule: "",
  last: null,
  madeAtMs: null,
  staleAtMs: null,
  isDismissed: false,
  verified: [],
};

/** Why a backup failed: for people in English, and as a code. */
export interface BackupFailure {
  readonly failure: string;
  readonly cause: BackupCause;
}

export interface BackupRecordParts {
  readonly store: Pick<OpenedStore, "get" | "commit">;
  readonly clock: Pick<Clock, "nowMs" | "quality">;
  readonly cron: Pick<Cron, "nextRuns">;
  readonly log: Pick<Log, "warn">;
  /** `null` if none is configured. */
  readonly schedule: CronTime | null;
}

export class BackupRecordKeeper implements BackupFindings {
  readonly #parts: BackupRecordParts;
  #record: BackupStateRecord;

  constructor(parts: BackupRecordParts) {
    this.#parts = parts;
    this.#record = parts.store.get(TABLE, KEY) ?? NONE;
    const schedule = scheduleText(parts.schedule);
    // Without a time nothing can be due; the next start or backup sees to it.
    if (schedule === this.#record.schedule || parts.clock.quality() === "unset") return;
    // A failure stays known: what puts it right is a backup, not another time.
    void this.#change({ schedule, staleAtMs: this.#staleAtMs(), ...(schedule === "" && { last: null }) });
  }

  get last(): BackupStateRecord["last"] {
    return this.#record.last;
  }

  finding(): BackupFinding | null {
    if (this.#parts.schedule === null) return null;
    const { last, madeAtMs, staleAtMs, isDismissed } = this.#record;
    const state = isDismissed ? "DISMISSED" : "OPEN";
    const newest: MeasuredText =
      madeAtMs === null
        ? { key: "backupNone", values: {} }
        : { key: "backupNewest", values: { time: isoTime(madeAtMs) } };
    const found = (
      key: "backupFailed" | "backupNotUploaded" | "backupStale",
      sinceMs: number,
      failure: object,
    ): BackupFinding => {
      const { measured: text, text: words } = measured(key, { time: isoTime(sinceMs), newest, ...failure });
      return { id: "backup-schedule", text, words, state, sinceMs };
    };
    if (last !== null && last.failure !== null) {
      return found(last.isStored === true ? "backupNotUploaded" : "backupFailed", last.atMs, {
        failure: causeText(last.cause ?? null) ?? last.failure.replace(/\.$/, ""),
      });
    }
    const { clock } = this.#parts;
    if (staleAtMs === null || clock.quality() === "unset" || clock.nowMs() < staleAtMs) return null;
    return found("backupStale", staleAtMs, {});
  }

  async dismiss(): Promise<BackupFinding> {
    const finding = this.finding();
    if (finding === null) throw problem("not-found", 'There is no finding "backup-schedule".');
    await this.#commit({ ...this.#record, isDismissed: true }, []);
    return { ...finding, state: "DISMISSED" };
  }

  /** A backup that opens with the configured passphrase was made, as of a wall-clock time, ms. */
  async made(madeAtMs: number, isScheduled: boolean): Promise<void> {
    const last = isScheduled ? { atMs: madeAtMs, failure: null } : this.#record.last;
    const isRight = last === null ? null : { ...last, failure: null, cause: null };
    const schedule = scheduleText(this.#parts.schedule);
    await this.#change({ schedule, last: isRight, madeAtMs, staleAtMs: this.#staleAtMs(), isDismissed: false });
  }

  /** The scheduled backup of a wall-clock time, ms, was not made. */
  async failed(atMs: number, how: BackupFailure): Promise<void> {
    await this.#change({ last: { atMs, ...how } }, [failedEntry(how.failure)]);
  }

  /** The backup of a wall-clock time, ms, is in the folder, and was not uploaded. */
  async notUploaded(atMs: number, isScheduled: boolean, how: BackupFailure): Promise<void> {
    const entries = isScheduled ? [failedEntry(`it was not uploaded: ${how.failure}`)] : [];
    const last = isScheduled ? { atMs, ...how, isStored: true } : this.#record.last;
    const schedule = scheduleText(this.#parts.schedule);
    await this.#change({ schedule, last, madeAtMs: atMs, staleAtMs: this.#staleAtMs() }, entries);
  }

  /** A file was read to its end; `names`: the files that there are. */
  async verified(entry: VerifiedBackup, names: readonly string[]): Promise<void> {
    const others = this.#record.verified.filter(({ name }) => name !== entry.name && names.includes(name));
    await this.#change({ verified: [...others, entry] });
  }

  /** Returns how a file was when it was last read; `null` if it was not, or was changed since. */
  verificationOf(file: Pick<VerifiedBackup, "name" | "bytes" | "writtenAtMs">): VerifiedBackup | null {
    const found = this.#record.verified.find(({ name }) => name === file.name);
    return found?.bytes === file.bytes && found.writtenAtMs === file.writtenAtMs ? found : null;
  }

  #staleAtMs(): number | null {
    const { schedule, cron } = this.#parts;
    return schedule === null ? null : (cron.nextRuns(schedule, MISSED).at(-1) ?? null);
  }

  /** A disk that refuses it is a finding elsewhere; the change counts until the next start. */
  async #change(part: Partial<BackupStateRecord>, entries: readonly NewJournalEntry[] = []): Promise<void> {
    this.#record = { ...this.#record, ...part };
    await this.#commit(this.#record, entries).catch((err: unknown) => {
      this.#parts.log.warn({ err }, "cannot store how the backups went; it is known until the next start");
    });
  }

  async #commit(put: BackupStateRecord, entries: readonly NewJournalEntry[]): Promise<void> {
    await this.#parts.store.commit([{ table: TABLE, key: KEY, put }], entries);
    this.#record = put;
  }
}

/** Empty if there is no schedule. */
function scheduleText(schedule: CronTime | null): string {
  return schedule === null ? "" : `${schedule.expression} ${schedule.timeZone}`;
}

function failedEntry(reason: string): NewJournalEntry {
  return { event: "system:backup:failed", payload: { reason } };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}

/** Why a backup failed, for people in their language; `null` if only the error says it. */
function causeText(cause: BackupCause | null): MeasuredText | null {
  return cause === null || cause === "other" ? null : { key: `backup-${cause}`, values: {} };
}
