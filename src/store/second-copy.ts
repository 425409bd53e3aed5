/**
 * The second copy of records that cannot be recreated: a file beside the databases, written soon after a change. A
 * removal is in the copy before it is acknowledged, so that nothing deleted is restored.
 */
import { MINUTE_MS } from "../domain/duration.ts";
import type { Clock, CopyFile, Log } from "../platform/ports/ports.ts";
import { type CopyPace, copyPaceOf } from "./copied-tables.ts";
import { decodeCopy, encodeCopy, lineOf } from "./copy-format.ts";
import { intact, type StoredRow, storedRow } from "./critical-image.ts";
import type { Place } from "./envelope.ts";
import { parseRecordKey, recordKey } from "./keys.ts";
import type { TableName } from "./records.ts";
import type { StoredRecords } from "./stored-records.ts";
import type { EncodedWrite } from "./tables.ts";

/** Changes within this time share a write. */
const GATHER_MS = 2_000;
const QUARTER_HOUR_MS = 15 * MINUTE_MS;
const RETRY_MS = 60_000;

export interface SecondCopyParts {
  readonly file: CopyFile;
  readonly clock: Pick<Clock, "nowMs" | "monotonicMs" | "timer">;
  readonly log: Log;
  readonly records: StoredRecords;
  /** Layout version of the records. */
  readonly layout: number;
  /** Returns the newest place in the journal. */
  place(): Place;
}

export interface CopyImage {
  /** See `StoredRecords.changes`; `null` if the head is damaged. */
  readonly changes: number | null;
  readonly layout: number;
  /** 0 if the head is damaged. */
  readonly epoch: number;
  /** Wall-clock ms; `null` if the head is damaged. */
  readonly writtenAtMs: number | null;
  /** The rows with a valid checksum. */
  readonly rows: readonly StoredRow[];
  /** False if any part of the copy is damaged. */
  readonly isWhole: boolean;
}

/** Reads and writes the second copy. */
export class SecondCopy implements AsyncDisposable {
  readonly #parts: SecondCopyParts;
  /** The lines of the last copies, by record: a record that changes is another object. */
  #lines = new WeakMap<object, string>();
  #timer: { readonly dueMs: number; readonly timer: Disposable } | null = null;
  /** `StoredRecords.changes` of the copy on disk; `null` if unknown. */
  #written: number | null = null;
  #writtenTickMs = Number.NEGATIVE_INFINITY;
  #writing: Promise<void> | null = null;
  #isFailing = false;
  #isClosed = false;

  constructor(parts: SecondCopyParts) {
    this.#parts = parts;
  }

  /** True while the disk refuses the copy. */
  get isFailing(): boolean {
    return this.#isFailing;
  }

  /** Reads the copy; `null` if there is none. Rejects with a `StorageError` if it cannot be read. */
  async read(): Promise<CopyImage | null> {
    const { file, records, layout } = this.#parts;
    const bytes = await file.read();
    if (bytes === null) return null;
    const { head, entries, isWhole } = decodeCopy(bytes);
    const rows = entries.flatMap(({ key, bytes: stored }) => {
      const place = parseRecordKey(key);
      return place === null ? [] : (intact(() => storedRow(records.codec, key, place, stored)) ?? []);
    });
    return {
      changes: head?.changes ?? null,
      layout: head?.layout ?? layout,
      epoch: head?.epoch ?? 0,
      writtenAtMs: head?.writtenAtMs ?? null,
      rows,
      isWhole: isWhole && head !== null && rows.length === entries.length,
    };
  }

  /** Schedules a write of the copy after a change of the table. */
  wrote({ table }: EncodedWrite): void {
    const pace = copyPaceOf(table);
    if (pace !== "never") this.#writeWithin(pace);
  }

  /** Writes the copy unless it is up to date. Never rejects: a refused write is tried again. */
  async flush(): Promise<void> {
    while (this.#written !== this.#parts.records.changes) {
      if (this.#writing === null) {
        this.#writing = this.#write();
        const isWritten = await this.#writing.then(
          () => true,
          () => false,
        );
        this.#writing = null;
        if (!isWritten) return;
      } else if (!(await this.#writing.then(() => true).catch(() => false))) return;
    }
  }

  /** Writes the copy even if nothing changed: the file may be damaged, or sealed with an older key. */
  async renew(): Promise<void> {
    this.#written = null;
    this.#lines = new WeakMap();
    await this.flush();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    this.#stopTimer();
    // If it was never written, the store did not open, and memory is incomplete.
    if (this.#written !== null || this.#isFailing) await this.flush();
    await this.#writing?.catch(() => undefined);
  }

  #writeWithin(pace: Exclude<CopyPace, "never">): void {
    const soonMs = this.#parts.clock.monotonicMs() + GATHER_MS;
    const isSeldom = pace === "quarter-hour";
    this.#writeAt(isSeldom ? Math.max(soonMs, this.#writtenTickMs + QUARTER_HOUR_MS) : soonMs);
  }

  #writeAt(dueMs: number): void {
    if (this.#isClosed || (this.#timer !== null && this.#timer.dueMs <= dueMs)) return;
    this.#stopTimer();
    const { clock } = this.#parts;
    const timer = clock.timer(dueMs - clock.monotonicMs(), () => {
      this.#timer = null;
      void this.flush();
    });
    this.#timer = { dueMs, timer };
  }

  async #write(): Promise<void> {
    const { file, clock, log, records } = this.#parts;
    this.#stopTimer();
    const { changes } = records;
    try {
      await file.write(this.#encode(changes));
    } catch (err) {
      if (!this.#isFailing)
        log.error({ err }, "cannot write the second copy of the settings; trying again every minute");
      this.#isFailing = true;
      this.#writeAt(clock.monotonicMs() + RETRY_MS);
      throw err;
    }
    if (this.#isFailing) log.info({}, "the second copy of the settings is written again");
    this.#isFailing = false;
    this.#written = changes;
    this.#writtenTickMs = clock.monotonicMs();
  }

  #encode(changes: number): Uint8Array {
    const { clock, layout, records } = this.#parts;
    const place = this.#parts.place();
    const lines: string[] = [];
    for (const { table, key, record } of records.tables.entries()) {
      if (copyPaceOf(table) === "never") continue;
      lines.push(this.#lineOf(table, key, record, place));
    }
    for (const [key, { table, bytes }] of records.locked) {
      if (copyPaceOf(table) !== "never") lines.push(lineOf({ key, bytes }));
    }
    return encodeCopy({ changes, layout, epoch: place.epoch, writtenAtMs: clock.nowMs() }, place, lines);
  }

  #lineOf(table: TableName, key: string, record: object, place: Place): string {
    const known = this.#lines.get(record);
    if (known !== undefined) return known;
    const whole = recordKey(table, key);
    const bytes = this.#parts.records.codec.encode(table, whole, place, JSON.stringify(record));
    const line = lineOf({ key: whole, bytes });
    this.#lines.set(record, line);
    return line;
  }

  #stopTimer(): void {
    this.#timer?.timer[Symbol.dispose]();
    this.#timer = null;
  }
}
