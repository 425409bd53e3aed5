/** Reads the critical database when the gateway starts, as much of it as can be read. */
import type { Database, Salvage } from "../platform/ports/ports.ts";
import { StorageError } from "../platform/ports/storage-error.ts";
import { type KeyRange, scan } from "./database.ts";
import { parseJson, unsealJson } from "./envelope.ts";
import {
  CHANGES_KEY,
  EPOCH_KEY,
  JOURNAL_ENTRIES,
  parseJournalKey,
  parseRecordKey,
  RECORDS,
  SCHEMA_KEY,
} from "./keys.ts";
import type { MigratedRow } from "./migrations.ts";
import type { RecordCodec } from "./record-codec.ts";
import type { LockedBytes } from "./stored-records.ts";

/** A record as it is stored. */
export type StoredRow = MigratedRow | LockedBytes;

export interface CriticalImage {
  /** The rows whose checksum says that they are what was written. */
  readonly rows: readonly MigratedRow[];
  /** Those that the keys at hand do not open. */
  readonly locked: readonly LockedBytes[];
  /** The keys of records whose bytes are not what was written. */
  readonly damaged: readonly string[];
  /** True when nothing was ever written to it. */
  readonly isNew: boolean;
  /** See `StoredRecords.changes`; null when it is not known. */
  readonly changes: number | null;
  /** Layout version; 0 for an empty database, null when that record is damaged. */
  readonly version: number | null;
  /** The largest epoch that left a trace; 0 for an empty database. */
  readonly epoch: number;
  /** Why the database could not be read to its end; null when it was. */
  readonly failure: unknown;
  /** How the database was made anew from a damaged one. Absent or null: it was not. */
  readonly salvage?: Salvage | null;
}

export async function readCritical(database: Database, codec: RecordCodec): Promise<CriticalImage> {
  let failure: unknown = null;
  const attempt = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failure ??= error;
      return otherwise;
    }
  };
  const rows = new Map<string, StoredRow>();
  const damaged = new Set<string>();
  // LevelDB stops at the first block that it cannot read: coming from the end too saves all rows but that block's.
  for (const reverse of [false, true]) {
    if (reverse && failure === null) break;
    await attempt(readRows(database, codec, { reverse, rows, damaged }), undefined);
  }
  const version = await attempt(readCounter(database, SCHEMA_KEY), null);
  const epoch = await attempt(readCounter(database, EPOCH_KEY), null);
  const lastEpoch = await attempt(lastJournalEpoch(database), 0);
  const changes = await attempt(readCounter(database, CHANGES_KEY), null);
  const read = [...rows.values()];
  const isNew = read.length === 0 && damaged.size === 0 && version === 0 && epoch === 0 && lastEpoch === 0;
  return {
    rows: read.filter((row) => "record" in row),
    locked: read.filter((row) => "bytes" in row),
    damaged: [...damaged],
    isNew: isNew && failure === null,
    // Databases of versions before the second copy have no counter: a copy of later ones knows more, or the same.
    changes: changes === 0 && !isNew ? null : changes,
    // One that has records had its version, too.
    version: version === 0 && !isNew ? null : version,
    epoch: Math.max(epoch ?? 0, lastEpoch),
    failure,
  };
}

interface RowsRead {
  readonly reverse: boolean;
  readonly rows: Map<string, StoredRow>;
  readonly damaged: Set<string>;
}

async function readRows(database: Database, codec: RecordCodec, { reverse, rows, damaged }: RowsRead): Promise<void> {
  await scan(database, { ...RECORDS, reverse }, (fullKey, bytes) => {
    const place = parseRecordKey(fullKey);
    const row = place === null ? undefined : intact(() => storedRow(codec, fullKey, place, bytes));
    if (row !== undefined) rows.set(fullKey, row);
    else if (place !== null) damaged.add(fullKey);
    return true;
  });
}

/** Throws a `StorageError("damaged")` when the checksum says that the bytes are not what was written. */
export function storedRow(
  codec: RecordCodec,
  fullKey: string,
  place: { readonly table: string; readonly key: string },
  bytes: Uint8Array,
): StoredRow {
  const stored = codec.decode(place.table, fullKey, bytes);
  // LevelDB may use the page that the bytes are in again.
  if (stored.kind === "locked") return { ...place, reason: stored.reason, bytes: Uint8Array.from(bytes) };
  return { ...place, record: parseJson(fullKey, stored.json) };
}

/** 0 when there is none, null when it is damaged. */
async function readCounter(database: Database, key: string): Promise<number | null> {
  const sealed = await database.get(key);
  if (sealed === undefined) return 0;
  const value = intact(() => unsealJson(key, sealed));
  return typeof value === "number" ? value : null;
}

async function lastJournalEpoch(database: Database): Promise<number> {
  let epoch = 0;
  const range: KeyRange & { reverse: boolean } = { ...JOURNAL_ENTRIES, reverse: true };
  await scan(database, range, (key) => {
    epoch = intact(() => parseJournalKey(key).epoch) ?? 0;
    return epoch === 0;
  });
  return epoch;
}

/** Undefined when the value is damaged. */
export function intact<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StorageError && error.kind === "damaged") return undefined;
    throw error;
  }
}
