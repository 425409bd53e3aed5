/** The records in memory, those that could not be opened, and what stands on disk for both. */
import type { Operation } from "./database.ts";
import type { Place } from "./envelope.ts";
import { damagedKey, parseRecordKey, recordKey } from "./keys.ts";
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
  readonly #locked = new Map<string, LockedBytes>();

  constructor(options: Pick<CodecOptions, "keys" | "random">) {
    this.codec = new RecordCodec({ ...options, isSealed: (table) => this.tables.isSealed(table) });
  }

  /** By whole key. */
  get locked(): ReadonlyMap<string, LockedBytes> {
    return this.#locked;
  }

  lock(record: LockedBytes): void {
    this.#locked.set(recordKey(record.table, record.key), record);
  }

  /** What a write does on disk. The bytes of a locked record that it replaces are put aside. */
  operations(write: EncodedWrite, place: Place): readonly Operation[] {
    const key = recordKey(write.table, write.key);
    const locked = this.#locked.get(key);
    const aside: Operation[] = locked === undefined ? [] : [{ type: "put", key: damagedKey(key), value: locked.bytes }];
    if (write.json === null) return [...aside, { type: "del", key }];
    return [...aside, { type: "put", key, value: this.codec.encode(write.table, key, place, write.json) }];
  }

  /** The same in memory, once it is on disk. */
  apply(write: EncodedWrite): void {
    this.#locked.delete(recordKey(write.table, write.key));
    this.tables.apply(write);
  }

  /** Bytes at a record's key that are not what was written, as they may be kept aside. */
  aside(key: string, place: Place, bytes: Uint8Array): Extract<Operation, { type: "put" }> {
    const table = parseRecordKey(key)?.table ?? "";
    return { type: "put", key: damagedKey(key), value: this.codec.encodeAside(table, key, place, bytes) };
  }
}
