/** Keys of the critical database. They sort: bookkeeping, journal in order, records by table. */
import { StorageError } from "../platform/storage-error.ts";
import { type KeyRange, prefixRange } from "./database.ts";
import type { Place } from "./envelope.ts";

export const SCHEMA_KEY = "meta!schema";
export const EPOCH_KEY = "meta!epoch";
/** The id of the key that everything in the database's files is sealed with, replaced and removed values included. */
export const SEALED_KEY = "meta!sealed";

const RECORD = "record!";
const JOURNAL = "journal!";
const DAMAGED = "damaged!";

/** Fixed widths make text order the order of numbers: 32 bits of epochs, every safe integer. */
const EPOCH_DIGITS = 8;
const SEQ_DIGITS = 14;
const HEX = 16;

export const RECORDS: KeyRange = prefixRange(RECORD);
export const JOURNAL_ENTRIES: KeyRange = prefixRange(JOURNAL);
export const DAMAGED_RECORDS: KeyRange = prefixRange(`${DAMAGED}${RECORD}`);

/** `table` is text because a migration may name tables that this version no longer has. */
export function recordKey(table: string, key: string): string {
  return `${RECORD}${table}!${key}`;
}

/** Null when it is no record's key. */
export function parseRecordKey(fullKey: string): { readonly table: string; readonly key: string } | null {
  if (!fullKey.startsWith(RECORD)) return null;
  const end = fullKey.indexOf("!", RECORD.length);
  if (end < 0) return null;
  return { table: fullKey.slice(RECORD.length, end), key: fullKey.slice(end + 1) };
}

export function journalKey(place: Place): string {
  return `${JOURNAL}${hex(place.epoch, EPOCH_DIGITS)}!${hex(place.seq, SEQ_DIGITS)}`;
}

export function parseJournalKey(key: string): Place {
  const [, epoch = "", seq = ""] = key.split("!");
  const place = { epoch: Number.parseInt(epoch, HEX), seq: Number.parseInt(seq, HEX) };
  if (journalKey(place) !== key) throw new StorageError("damaged", `${key} is no place in the journal`);
  return place;
}

/** Entries after `from` (null: from the first) up to and including `upTo`. */
export function journalRange(from: Place | null, upTo: Place): KeyRange {
  return {
    gte: from === null ? JOURNAL_ENTRIES.gte : `${journalKey(from)}!`,
    lt: `${journalKey(upTo)}!`,
  };
}

/** Where the bytes of a value that is not what was written are kept. */
export function damagedKey(key: string): string {
  return `${DAMAGED}${key}`;
}

/** The key that the bytes at `damagedKey(key)` had. */
export function parseDamagedKey(key: string): string {
  return key.slice(DAMAGED.length);
}

function hex(value: number, digits: number): string {
  return value.toString(HEX).padStart(digits, "0");
}
