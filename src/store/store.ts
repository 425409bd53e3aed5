import type { EnergyKind } from "../domain/statistics/statistics-hour.ts";
import type { EnergyRow, SlotMs } from "../domain/statistics/statistics-row.ts";
import type { PointName, PointValue } from "../points/points.ts";
import type { Place } from "./envelope.ts";
import type { Outbox } from "./outbox/outbox.ts";
import type { JournalEntry, TableName, Tables, Write } from "./records.ts";
import type { LockedRecord } from "./stored-records.ts";

/** A point's value at a wall-clock instant, for the history. */
export interface TelemetrySample {
  readonly deviceId: string;
  readonly atMs: number;
  readonly values: readonly { readonly point: PointName; readonly value: PointValue | null }[];
}

/** Which energy is asked for. */
export interface EnergyQuery {
  /** A kind of asset that a device carries. */
  readonly stream: { readonly deviceId: string; readonly kind: EnergyKind };
  readonly slotMs: SlotMs;
  /** Wall-clock ms. */
  readonly fromMs: number;
  readonly toMs: number;
}

export interface NewJournalEntry {
  readonly event: string;
  readonly payload: unknown;
}

/** Where the gateway's memory is kept. Two databases, two commit classes. */
export interface Store extends AsyncDisposable {
  /** Grows with every start; positions in the journal are `(epoch, seq)`. */
  readonly epoch: number;
  /** What was found damaged and moved aside when the store was opened, in words. */
  readonly recovered: readonly string[];
  /** Records that the given keys do not open. They stay on disk as they are, and are not there for the rest. */
  readonly locked: readonly LockedRecord[];
  /** True while the critical database takes writes. */
  readonly isWritable: boolean;
  /** True while the disk refuses the second copy of what nobody can make again. */
  readonly isCopyFailing: boolean;
  /** Room on the disk. `freeBytes` is of the last look, null: not known. `isShort`: history is not written. */
  readonly space: { readonly freeBytes: number | null; readonly isShort: boolean };

  /**
   * Commit class "now": all writes and journal entries in one atomic batch, synced to disk when the promise resolves.
   * Calls within 50 ms share one sync. Rejects when the disk refuses; then none of it is kept.
   */
  commit(writes: readonly Write[], journal: readonly NewJournalEntry[]): Promise<void>;
  /**
   * Writes that may be lost in a crash: they go to disk with the next commit, after an hour at the latest, and cost no
   * sync of their own. A later one of the same record replaces the earlier.
   */
  commitAlong(writes: readonly Write[]): void;
  /** All records of a table, from memory. */
  all<Name extends TableName>(table: Name): readonly Tables[Name][];
  get<Name extends TableName>(table: Name, key: string): Tables[Name] | null;
  /** Entries after a position, oldest first, at most `limit`. */
  journalAfter(position: { epoch: number; seq: number } | null, limit: number): Promise<readonly JournalEntry[]>;
  /** Where the journal ends. */
  readonly journalEnd: Place;
  /** Calls the listener after the journal grew; it returns at once. Disposing ends it. */
  watchJournal(listener: () => void): Disposable;

  /** Commit class "lazy": kept in memory and written every five minutes as one synced batch of columnar blocks. */
  record(sample: TelemetrySample): void;
  /** The samples of a device in [fromMs, toMs), oldest first, those still in memory included. */
  history(deviceId: string, fromMs: number, toMs: number): Promise<readonly TelemetrySample[]>;
  /** Where samples in [fromMs, toMs), of whatever device, are known to be lost. */
  historyHoles(fromMs: number, toMs: number): Promise<readonly Hole[]>;
  /**
   * What a device moved, in slots that begin in [fromMs, toMs), ascending; slots about which nothing is known are absent.
   * The slot that runs is in it as far as it was read. Minutes are kept for 400 days, quarter hours for three years, hours
   * for ten.
   */
  energy(query: EnergyQuery): Promise<readonly EnergyRow[]>;
  /** Drops all history of a device. */
  forgetHistory(deviceId: string): Promise<void>;
}

/** Wall-clock ms; the end is not in it. */
export interface Hole {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The store with what its owner alone uses. */
export interface OpenedStore extends Store {
  /** What a cloud service is to be told; nothing is gathered until it is opened. */
  readonly outbox: Outbox;
}
