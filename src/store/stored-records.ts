/** The records in memory, those that could not be opened, and what stands on disk for both. */
import { copyPaceOf } from "./copied-tables.ts";
import type { StoredRow } from "./critical-image.ts";
import type { Operation } from "./database.ts";
import { type Place, sealJson } from "./envelope.ts";
import { CHANGES_KEY, damagedKey, parseRecordKey, recordKey } from "./keys.ts";
import { type CodecOptions, RecordCodec } from "./record-codec.ts";
import { type EncodedWrite, MemoryTables } from "./tables.ts";

/** A record that stays on disk as it is, because it cannot be opened with the keys that are given. */
export interface LockedRecord {
  readonly table: string;
  /** Its key in the table. */
  readonly key: string;
  /** Which key is missing, or that it was changed; in words. */
  readonly reason: string;
}

/** The same with its bytes. */
export interface LockedBytes extends LockedRecord {
  readonly bytes: Uint8Array;
}

export class StoredRecords {
  readonly tables = new MemoryTables();
  readonly codec: RecordCodec;
  /**
   * How many writes of tables with a second copy there were. Database and copy each hold the number of their last one:
   * the higher number is the newer.
   */
  changes = 0;
  readonly #locked = new Map<string, LockedBytes>();

  constructor(options: Pick<CodecOptions, "keys" | "random">) {
    this.codec = new RecordCodec({ ...options, isSealed: (table) => this.tables.isSealed(table) });
  }

  /** By whole key. */
  get locked(): ReadonlyMap<string, LockedBytes> {
    return this.#locked;
  }

  /** Takes a record that was read from disk. */
  load(row: StoredRow): void {
    if ("bytes" in row) this.#locked.set(recordKey(row.table, row.key), row);
    else if (this.tables.has(row.table)) this.tables.put(row.table, row.key, row.record);
  }

  /** What a write does on disk. The bytes of a locked record that it replaces are put aside. */
  operations(write: EncodedWrite, place: Place): readonly Operation[] {
    const key = recordKey(write.table, write.key);
    const locked = this.#locked.get(key);
    const aside: Operation[] = locked === undefined ? [] : [{ type: "put", key: damagedKey(key), value: locked.bytes }];
    if (write.json === null) return [...aside, { type: "del", key }];
    return [...aside, { type: "put", key, value: this.codec.encode(write.table, key, place, write.json) }];
  }

  /** What a batch with these writes puts into the database for `changes`. */
  counter(writes: readonly EncodedWrite[], place: Place): readonly Operation[] {
    const copied = writes.filter(({ table }) => copyPaceOf(table) !== "never").length;
    return copied === 0 ? [] : [changesAt(place, this.changes + copied)];
  }

  /** The same in memory, once it is on disk. */
  apply(write: EncodedWrite): void {
    this.#locked.delete(recordKey(write.table, write.key));
    this.tables.apply(write);
    if (copyPaceOf(write.table) !== "never") this.changes += 1;
  }

  /** Bytes at a record's key that are not what was written, as they may be kept aside. */
  aside(key: string, place: Place, bytes: Uint8Array): Extract<Operation, { type: "put" }> {
    const table = parseRecordKey(key)?.table ?? "";
    return { type: "put", key: damagedKey(key), value: this.codec.encodeAside(table, key, place, bytes) };
  }
}

/** What keeps the number of changes in the database. */
export function changesAt(place: Place, changes: number): Operation {
  return { type: "put", key: CHANGES_KEY, value: sealJson(CHANGES_KEY, place, changes) };
}
