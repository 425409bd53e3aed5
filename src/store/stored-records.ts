/** The records in memory, locked records, and how both are stored on disk. */
import { copyPaceOf } from "./copied-tables.ts";
import type { StoredRow } from "./critical-image.ts";
import type { Operation } from "./database.ts";
import { type Place, sealJson } from "./envelope.ts";
import { CHANGES_KEY, damagedKey, parseRecordKey, recordKey } from "./keys.ts";
import { type CodecOptions, RecordCodec } from "./record-codec.ts";
import { type EncodedWrite, MemoryTables } from "./tables.ts";

/** A record that stays on disk unchanged, because it cannot be opened with the configured keys. */
export interface LockedRecord {
  readonly table: string;
  /** Its key in the table. */
  readonly key: string;
  /** A text for people: which key is missing, or that the record was changed. */
  readonly reason: string;
}

/** A locked record with its bytes. */
export interface LockedBytes extends LockedRecord {
  readonly bytes: Uint8Array;
}

/** Maps records in memory to their form on disk. */
export class StoredRecords {
  readonly tables = new MemoryTables();
  readonly codec: RecordCodec;
  /**
   * Number of writes of tables with a second copy. Database and copy each store it: the one with the higher number is
   * newer.
   */
  changes = 0;
  readonly #locked = new Map<string, LockedBytes>();

  constructor(options: Pick<CodecOptions, "keys" | "random">) {
    this.codec = new RecordCodec({ ...options, isSealed: (table) => this.tables.isSealed(table) });
  }

  /** Locked records by full key. */
  get locked(): ReadonlyMap<string, LockedBytes> {
    return this.#locked;
  }

  /** Adds a record that was read from disk. */
  load(row: StoredRow): void {
    if ("bytes" in row) this.#locked.set(recordKey(row.table, row.key), row);
    else if (this.tables.has(row.table)) this.tables.put(row.table, row.key, row.record);
  }

  /** Returns the disk operations of a write. The bytes of a locked record that it replaces are moved aside. */
  operations(write: EncodedWrite, place: Place): readonly Operation[] {
    const key = recordKey(write.table, write.key);
    const locked = this.#locked.get(key);
    const aside: Operation[] = locked === undefined ? [] : [{ type: "put", key: damagedKey(key), value: locked.bytes }];
    if (write.json === null) return [...aside, { type: "del", key }];
    return [...aside, { type: "put", key, value: this.codec.encode(write.table, key, place, write.json) }];
  }

  /** Returns the operation that updates `changes` in a batch with these writes. */
  counter(writes: readonly EncodedWrite[], place: Place): readonly Operation[] {
    const copied = writes.filter(({ table }) => copyPaceOf(table) !== "never").length;
    return copied === 0 ? [] : [changesAt(place, this.changes + copied)];
  }

  /** Applies a write in memory, after it is on disk. */
  apply(write: EncodedWrite): void {
    this.#locked.delete(recordKey(write.table, write.key));
    this.tables.apply(write);
    if (copyPaceOf(write.table) !== "never") this.changes += 1;
  }

  /** Returns the operation that moves damaged bytes of a record aside. */
  aside(key: string, place: Place, bytes: Uint8Array): Extract<Operation, { type: "put" }> {
    const table = parseRecordKey(key)?.table ?? "";
    return { type: "put", key: damagedKey(key), value: this.codec.encodeAside(table, key, place, bytes) };
  }
}

/** Returns the operation that stores the number of changes. */
export function changesAt(place: Place, changes: number): Operation {
  return { type: "put", key: CHANGES_KEY, value: sealJson(CHANGES_KEY, place, changes) };
}
