/**
 * Brings an opened database in line with memory. After a failed write it is unknown what is on disk: rejected writes
 * must be removed, acknowledged ones must be there, and damaged bytes are moved aside. Records that are in clear text
 * or sealed with an older key are written again.
 */
import type { Database } from "../platform/ports/ports.ts";
import { intact } from "./critical-image.ts";
import { type Operation, scan } from "./database.ts";
import type { Place } from "./envelope.ts";
import {
  DAMAGED_RECORDS,
  JOURNAL_ENTRIES,
  journalKey,
  parseDamagedKey,
  parseJournalKey,
  parseRecordKey,
  RECORDS,
  recordKey,
} from "./keys.ts";
import type { StoredRecords } from "./stored-records.ts";

export interface Differences {
  readonly operations: readonly Operation[];
  /** Keys of damaged records. */
  readonly damaged: readonly string[];
  /**
   * Number of values that were in clear text or sealed with an older key: their old bytes must be removed from the
   * disk.
   */
  readonly resealed: number;
  /** False if the newest acknowledged journal entry is missing. */
  readonly hasNewestEntry: boolean;
}

/** Returns the operations that bring the records in line with `records`, and the end of the journal with `place`. */
export async function differences(database: Database, records: StoredRecords, place: Place): Promise<Differences> {
  const found = await recordDifferences(database, records, place);
  const aside = await asideDifferences(database, records, place);
  const tail = await unacknowledged(database, place);
  return {
    operations: [...found.operations, ...aside, ...tail.operations],
    damaged: found.damaged,
    resealed: found.resealed + aside.length,
    hasNewestEntry: tail.hasNewestEntry,
  };
}

async function recordDifferences(
  database: Database,
  records: StoredRecords,
  place: Place,
): Promise<Omit<Differences, "hasNewestEntry">> {
  const operations: Operation[] = [];
  const damaged: string[] = [];
  let resealed = 0;
  const expected = new Map([...records.tables.entries()].map((entry) => [recordKey(entry.table, entry.key), entry]));
  const locked = new Map(records.locked);
  await scan(database, RECORDS, (key, bytes) => {
    const kept = locked.get(key);
    if (kept !== undefined) {
      if (Buffer.compare(kept.bytes, bytes) === 0) locked.delete(key);
      return true;
    }
    const stored = intact(() => records.codec.decode(parseRecordKey(key)?.table ?? "", key, bytes));
    if (stored === undefined) {
      damaged.push(key);
      const aside = records.aside(key, place, bytes);
      if (aside.value !== bytes) resealed += 1;
      operations.push(aside);
    }
    const entry = expected.get(key);
    if (entry === undefined) operations.push({ type: "del", key });
    if (stored?.kind !== "open") return true;
    if (!stored.isCurrent) resealed += 1;
    else if (entry !== undefined && stored.json === JSON.stringify(entry.record)) expected.delete(key);
    return true;
  });
  for (const [key, { table, record }] of expected) {
    operations.push({ type: "put", key, value: records.codec.encode(table, key, place, JSON.stringify(record)) });
  }
  for (const [key, { bytes }] of locked) operations.push({ type: "put", key, value: bytes });
  return { operations, damaged, resealed };
}

/** Returns operations that seal damaged bytes which were put aside in clear text before there was a key. */
async function asideDifferences(
  database: Database,
  records: StoredRecords,
  place: Place,
): Promise<readonly Operation[]> {
  const operations: Operation[] = [];
  await scan(database, DAMAGED_RECORDS, (key, bytes) => {
    const operation = records.aside(parseDamagedKey(key), place, bytes);
    if (operation.value !== bytes) operations.push(operation);
    return true;
  });
  return operations;
}

/** Returns the removals of journal entries after `place`, which a rejected batch left. */
async function unacknowledged(
  database: Database,
  place: Place,
): Promise<{ readonly operations: readonly Operation[]; readonly hasNewestEntry: boolean }> {
  const operations: Operation[] = [];
  let hasNewestEntry = place.seq === 0;
  await scan(database, { ...JOURNAL_ENTRIES, gte: journalKey(place) }, (key) => {
    const found = intact(() => parseJournalKey(key));
    if (found?.epoch === place.epoch && found.seq === place.seq) hasNewestEntry = true;
    else operations.push({ type: "del", key });
    return true;
  });
  return { operations, hasNewestEntry };
}
