/** Reads the critical database at the start of the gateway, as much of it as is readable. */
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
  /** The rows with a valid checksum. */
  readonly rows: readonly MigratedRow[];
  /** Records that are sealed with an unknown key. */
  readonly locked: readonly LockedBytes[];
  /** Keys of damaged records. */
  readonly damaged: readonly string[];
  /** True if nothing was ever written to the database. */
  readonly isNew: boolean;
  /** See `StoredRecords.changes`; `null` if it is unknown. */
  readonly changes: number | null;
  /** Layout version; 0 for an empty database, `null` if its record is damaged. */
  readonly version: number | null;
  /** The largest epoch found in the database; 0 for an empty one. */
  readonly epoch: number;
  /** Why the database could not be read to its end; `null` if it could. */
  readonly failure: unknown;
  /** How the database was rebuilt from a damaged one. Absent or `null`: it was not. */
  readonly salvage?: Salvage | null;
}

/** Reads all records and counters. Read errors are returned in `failure`. */
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
  // LevelDB stops at the first unreadable block: reading backward as well saves all rows but those of that block.
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
    // Databases from versions before the second copy have no counter: a later copy is as new, or newer.
    changes: changes === 0 && !isNew ? null : changes,
    // A database with records must have had a version.
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

/** Decodes a stored record. Throws a `StorageError("damaged")` if its checksum is wrong. */
export function storedRow(
  codec: RecordCodec,
  fullKey: string,
  place: { readonly table: string; readonly key: string },
  bytes: Uint8Array,
): StoredRow {
  const stored = codec.decode(place.table, fullKey, bytes);
  // The bytes are copied, because LevelDB may reuse their memory.
  if (stored.kind === "locked") return { ...place, reason: stored.reason, bytes: Uint8Array.from(bytes) };
  return { ...place, record: parseJson(fullKey, stored.json) };
}

/** Returns a counter; 0 if there is none, `null` if it is damaged. */
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

/** Returns the result of `read`; undefined if the value is damaged. */
export function intact<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof StorageError && error.kind === "damaged") return undefined;
    throw error;
  }
}
