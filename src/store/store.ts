import type { EnergyKind } from "../domain/statistics/statistics-hour.ts";
import type { EnergyRow, SlotMs } from "../domain/statistics/statistics-row.ts";
import type { PointName, PointValue } from "../points/points.ts";
import type { StoreDump } from "./dump.ts";
import type { Place } from "./envelope.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { JournalEntry, TableName, Tables, Write } from "./records.ts";
import type { LockedRecord } from "./stored-records.ts";

/** Values of a device's points at a wall-clock instant, for the history. */
export interface TelemetrySample {
  readonly deviceId: string;
  readonly atMs: number;
  readonly values: readonly { readonly point: PointName; readonly value: PointValue | null }[];
}

/** A query for energy. */
export interface EnergyQuery {
  /** The device, and one of its kinds of asset. */
  readonly stream: { readonly deviceId: string; readonly kind: EnergyKind };
  readonly slotMs: SlotMs;
  /** Wall-clock ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Only slots within these hours, given by their starts, ascending; the rest is not read. Absent: all. */
  readonly hours?: readonly number[];
}

export interface NewJournalEntry {
  readonly event: string;
  /** The user it is about, if any. Entries of a deauthorized user are not journaled (rule I4.1). */
  readonly userId?: string;
  readonly payload: unknown;
}

/** `urgent`: a person or a device waits for it, as for a command. It costs an extra sync if nothing else is written. */
export type Urgency = "urgent";

/** The storage of the gateway: two databases with two commit classes. */
export interface Store extends AsyncDisposable {
  /** Grows with each start; positions in the journal are `(epoch, seq)`. */
  readonly epoch: number;
  /** Texts for people: what was damaged and moved aside when the store was opened. */
  readonly recovered: readonly string[];
  /**
   * Records that cannot be opened with the configured keys. They stay on disk unchanged and are not visible otherwise.
   */
  readonly locked: readonly LockedRecord[];
  /** True while the critical database is writable. */
  readonly isWritable: boolean;
  /** True while the disk refuses the second copy. */
  readonly isCopyFailing: boolean;
  /** Free space on the disk. `freeBytes`: at the last check, `null` if unknown. `isShort`: history is not written. */
  readonly space: { readonly freeBytes: number | null; readonly isShort: boolean };

  /**
   * Commit class "now": writes records and journal entries in one atomic batch, which is synced to disk when the
   * promise resolves. Calls within 50 ms share one sync; an urgent call is written as soon as the disk is free,
   * together with the waiting ones. Rejects if the disk refuses; nothing is stored then.
   */
  commit(writes: readonly Write[], journal: readonly NewJournalEntry[], urgency?: Urgency): Promise<void>;
  /**
   * Writes records that may be lost in a crash: they go to disk with the next commit, after an hour at the latest,
   * without a separate sync. A later write of the same record replaces an earlier one.
   */
  commitAlong(writes: readonly Write[]): void;
  /** Returns all records of a table, from memory. */
  all<Name extends TableName>(table: Name): readonly Tables[Name][];
  /** Returns a record, from memory; `null` if there is none. */
  get<Name extends TableName>(table: Name, key: string): Tables[Name] | null;
  /** Reads journal entries after a position, oldest first, at most `limit`. */
  journalAfter(position: { epoch: number; seq: number } | null, limit: number): Promise<readonly JournalEntry[]>;
  /** The end of the journal. */
  readonly journalEnd: Place;
  /** Calls the listener after the journal grew. Disposing the result ends it. */
  watchJournal(listener: () => void): Disposable;

  /**
   * Commit class "lazy": stores a sample in memory; samples are written every five minutes as one synced batch of
   * columnar blocks.
   */
  record(sample: TelemetrySample): void;
  /** Returns the samples of a device in [fromMs, toMs), oldest first, including those in memory. */
  history(deviceId: string, fromMs: number, toMs: number): Promise<readonly TelemetrySample[]>;
  /** Returns the times in [fromMs, toMs) in which samples of any device are known to be lost. */
  historyHoles(fromMs: number, toMs: number): Promise<readonly Hole[]>;
  /**
   * Returns the energy of a device in slots that begin in [fromMs, toMs), ascending; slots without data are absent, the
   * current slot is included as far as it was read. Minutes are stored for 400 days, quarter hours for three years,
   * hours for ten.
   */
  energy(query: EnergyQuery): Promise<readonly EnergyRow[]>;
  /** Deletes all history of a device. */
  forgetHistory(deviceId: string): Promise<void>;
}

/** A time without samples, wall-clock ms; the end is exclusive. */
export interface Hole {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The store with the parts that only its owner uses. */
export interface OpenedStore extends Store {
  /** The records to send to the cloud service; empty until it is opened. */
  readonly outbox: Outbox;
  /**
   * Removes old history and energy rows as soon as the wall clock is `synced`. It is also done ten minutes after the
   * start, because the gateway may have been off at the scheduled time.
   */
  removeOldHistory(): void;
  /**
   * Writes what waits in memory, and returns a copy of both databases as they are then. The caller disposes it. Rejects with
   * a `StorageError` while a database is not open.
   */
  dump(): Promise<StoreDump>;
}
