/** Keys of the critical database. They sort: bookkeeping, journal in order, records by table. */
import { StorageError } from "../platform/ports/storage-error.ts";
import { type KeyRange, prefixRange } from "./database.ts";
import type { Place } from "./envelope.ts";

export const SCHEMA_KEY = "meta!schema";
export const EPOCH_KEY = "meta!epoch";
/** How many writes of copied tables are in the database; see `StoredRecords.changes`. */
export const CHANGES_KEY = "meta!changes";
/** The id of the key that everything in the database's files is sealed with, replaced and removed values included. */
export const SEALED_KEY = "meta!sealed";
/** What a database says that was made anew from a damaged one, until the gateway has taken it up; of each database. */
export const SALVAGE_KEY = "meta!salvage";

const RECORD = "record!";
const JOURNAL = "journal!";
const DAMAGED = "damaged!";
const OUTBOX = "outbox!";

/** Fixed widths make text order the order of numbers: 32 bits of epochs, every safe integer. */
const EPOCH_DIGITS = 8;
const SEQ_DIGITS = 14;
const HEX = 16;

export const RECORDS: KeyRange = prefixRange(RECORD);
export const JOURNAL_ENTRIES: KeyRange = prefixRange(JOURNAL);
/** Where the outbox stands; its rows sort behind it by stream and number. */
export const OUTBOX_KEY = "outbox";
export const OUTBOX_ROWS: KeyRange = prefixRange(OUTBOX);
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

/** Where a row of the outbox stands; the epoch has no `!` in it. */
export interface OutboxPlace {
  readonly stream: string;
  readonly epoch: string;
  readonly seq: number;
}

export function outboxKey({ stream, epoch, seq }: OutboxPlace): string {
  return `${OUTBOX}${stream}!${epoch}!${hex(seq, SEQ_DIGITS)}`;
}

export function parseOutboxKey(key: string): OutboxPlace {
  const [, stream = "", epoch = "", seq = ""] = key.split("!");
  const place = { stream, epoch, seq: Number.parseInt(seq, HEX) };
  if (outboxKey(place) !== key) throw new StorageError("damaged", `${key} is no row of the outbox`);
  return place;
}

/** The rows of a stream with numbers in (after, through]. */
export function outboxRange(of: Omit<OutboxPlace, "seq">, after: number, through: number): KeyRange {
  return { gte: outboxKey({ ...of, seq: after + 1 }), lt: outboxKey({ ...of, seq: through + 1 }) };
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
