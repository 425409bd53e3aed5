/** Keys of the critical database. Their order: bookkeeping, journal in order, records by table. */
import { StorageError } from "../platform/ports/storage-error.ts";
import { type KeyRange, prefixRange } from "./database.ts";
import type { Place } from "./envelope.ts";

export const SCHEMA_KEY = "meta!schema";
export const EPOCH_KEY = "meta!epoch";
/** Number of writes of copied tables; see `StoredRecords.changes`. */
export const CHANGES_KEY = "meta!changes";
/**
 * Id of the secret key with which all secrets in the database's files are sealed, including replaced and removed ones.
 */
export const SEALED_KEY = "meta!sealed";
/** Report of a database that was rebuilt from a damaged one, until the gateway has read it; used in both databases. */
export const SALVAGE_KEY = "meta!salvage";

const RECORD = "record!";
const JOURNAL = "journal!";
const DAMAGED = "damaged!";
const OUTBOX = "outbox!";

/** Fixed widths, so that text order is numeric order: 32 bits for epochs, any safe integer for numbers. */
const EPOCH_DIGITS = 8;
const SEQ_DIGITS = 14;
const HEX = 16;

export const RECORDS: KeyRange = prefixRange(RECORD);
export const JOURNAL_ENTRIES: KeyRange = prefixRange(JOURNAL);
/** Bookkeeping of the outbox; its rows follow, by stream and number. */
export const OUTBOX_KEY = "outbox";
export const OUTBOX_ROWS: KeyRange = prefixRange(OUTBOX);
export const DAMAGED_RECORDS: KeyRange = prefixRange(`${DAMAGED}${RECORD}`);

/**
 * Returns the key of a record. `table` is any text, because a migration may name tables that this version does not
 * have.
 */
export function recordKey(table: string, key: string): string {
  return `${RECORD}${table}!${key}`;
}

/** Parses the key of a record; `null` if it is not one. */
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
  if (journalKey(place) !== key) throw new StorageError("damaged", `${key} is not a journal key`);
  return place;
}

/** Returns the range of entries after `from` (`null`: from the first) up to and including `upTo`. */
export function journalRange(from: Place | null, upTo: Place): KeyRange {
  return {
    gte: from === null ? JOURNAL_ENTRIES.gte : `${journalKey(from)}!`,
    lt: `${journalKey(upTo)}!`,
  };
}

/** The place of an outbox row; the epoch has no `!` in it. */
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
  if (outboxKey(place) !== key) throw new StorageError("damaged", `${key} is not an outbox key`);
  return place;
}

/** Returns the range of a stream's rows with numbers in (after, through]. */
export function outboxRange(of: Omit<OutboxPlace, "seq">, after: number, through: number): KeyRange {
  return { gte: outboxKey({ ...of, seq: after + 1 }), lt: outboxKey({ ...of, seq: through + 1 }) };
}

/** Returns the key under which the bytes of a damaged value are kept. */
export function damagedKey(key: string): string {
  return `${DAMAGED}${key}`;
}

/** Returns the original key of bytes at `damagedKey(key)`. */
export function parseDamagedKey(key: string): string {
  return key.slice(DAMAGED.length);
}

function hex(value: number, digits: number): string {
  return value.toString(HEX).padStart(digits, "0");
}
