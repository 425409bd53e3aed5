/**
 * Makes a database that was just opened say what memory says. After a write that failed nobody knows whether it is on
 * disk; what was rejected must not come back, what was acknowledged must be there, and a record whose bytes are damaged
 * is put aside with its bytes.
 */
import type { Database } from "../platform/ports.ts";
import { intact } from "./critical-image.ts";
import { type Operation, scan } from "./database.ts";
import { type Place, seal, unseal } from "./envelope.ts";
import { damagedKey, JOURNAL_ENTRIES, journalKey, parseJournalKey, RECORDS, recordKey } from "./keys.ts";
import type { MemoryTables } from "./tables.ts";

export interface Differences {
  readonly operations: readonly Operation[];
  /** Keys of records whose bytes were damaged. */
  readonly damaged: readonly string[];
  /** False when the newest acknowledged journal entry is not there. */
  readonly hasNewestEntry: boolean;
}

/** What must be written so that the records are `tables`' and the journal ends at `place`. */
export async function differences(database: Database, tables: MemoryTables, place: Place): Promise<Differences> {
  const operations: Operation[] = [];
  const damaged: string[] = [];
  const wanted = new Map<string, string>();
  for (const { table, key, record } of tables.entries()) wanted.set(recordKey(table, key), JSON.stringify(record));
  await scan(database, RECORDS, (key, sealed) => {
    const stored = intact(() => Buffer.from(unseal(key, sealed).payload).toString("utf8"));
    if (stored === undefined) {
      damaged.push(key);
      operations.push({ type: "put", key: damagedKey(key), value: sealed });
    }
    if (!wanted.has(key)) operations.push({ type: "del", key });
    else if (stored === wanted.get(key)) wanted.delete(key);
    return true;
  });
  for (const [key, json] of wanted) {
    operations.push({ type: "put", key, value: seal(key, place, Buffer.from(json, "utf8")) });
  }
  const tail = await unacknowledged(database, place);
  return { operations: [...operations, ...tail.operations], damaged, hasNewestEntry: tail.hasNewestEntry };
}

/** Journal entries after `place`: a batch that was rejected left them. */
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
