/** Reads and prunes the journal on disk. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Clock, Database } from "../platform/ports/ports.ts";
import { StorageError } from "../platform/ports/storage-error.ts";
import { intact } from "./critical-image.ts";
import { scan } from "./database.ts";
import { ENTRY_DICTIONARY } from "./entry-dictionary.ts";
import { type Place, parseJson, seal, unseal } from "./envelope.ts";
import { JOURNAL_ENTRIES, journalKey, journalRange, parseJournalKey } from "./keys.ts";
import type { JournalEntry } from "./records.ts";
import type { NewJournalEntry } from "./store.ts";

/** Maximum number of entries per read. */
const MAX_JOURNAL_READ = 1_000;

/** Size of the journal: some weeks of a busy home without a reader. */
export const JOURNAL_LIMITS: JournalSize = { count: 50_000, bytes: 16 * 1024 * 1024 };
/** Maximum size of an entry; the largest asset is a thousandth of it. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
/** Pruning continues to this share of the limits, so that it is rare. */
const PRUNED_SHARE = 0.9;

export interface JournalSize {
  readonly count: number;
  readonly bytes: number;
}

/** A journal entry as it is stored; its place is in the key. */
interface StoredEntry extends Omit<JournalEntry, "epoch" | "seq"> {
  /** Monotonic ms of this start, where no time source had set the clock. */
  readonly tickMs?: number;
}
type EntryClock = Pick<Clock, "nowMs" | "monotonicMs" | "quality">;

/** Encodes a journal entry as it is stored. */
export function encodeEntry({ event, payload = null }: NewJournalEntry, clock: EntryClock): string {
  const early = clock.quality() === "synced" ? {} : { tickMs: Math.round(clock.monotonicMs()) };
  return JSON.stringify({ atMs: clock.nowMs(), ...early, event, payload } satisfies StoredEntry);
}

/** Compresses an entry and wraps it for its place: the journal is most of what an idle home writes to its disk. */
export function sealEntry(place: Place, json: string): { readonly key: string; readonly value: Uint8Array } {
  const key = journalKey(place);
  const packed = deflateRawSync(Buffer.from(json, "utf8"), { dictionary: ENTRY_DICTIONARY });
  return { key, value: seal(key, place, packed, "packed") };
}

/**
 * Reads the entries after `from` up to `upTo`, oldest first. Damaged ones are left out and listed. What this start has
 * dated before a time source set the clock gets its true date: `offsetMs` is what the wall clock is ahead of the monotonic
 * one, `null` until it is known.
 */
export async function readJournal(
  database: Database,
  range: { readonly from: Place | null; readonly upTo: Place; readonly limit: number },
  offsetMs: number | null = null,
): Promise<{ readonly entries: readonly JournalEntry[]; readonly damaged: readonly string[] }> {
  const entries: JournalEntry[] = [];
  const damaged: string[] = [];
  const limit = Math.min(range.limit, MAX_JOURNAL_READ);
  await scan(database, journalRange(range.from, range.upTo), (key, sealed) => {
    if (entries.length >= limit) return false;
    const entry = intact(() => decodeEntry(key, sealed));
    if (entry === undefined) damaged.push(key);
    else entries.push(dated(entry, entry.epoch === range.upTo.epoch ? offsetMs : null));
    return true;
  });
  return { entries, damaged };
}

/** Returns the number of entries and their size, including keys. */
export async function measureJournal(database: Database): Promise<JournalSize> {
  let count = 0;
  let bytes = 0;
  await scan(database, JOURNAL_ENTRIES, (key, sealed) => {
    count += 1;
    bytes += key.length + sealed.length;
    return true;
  });
  return { count, bytes };
}

/** Returns the oldest entries to remove, at most `limit` of them; none while `size` is within the limits. */
export async function oldestEntries(
  database: Database,
  size: JournalSize,
  limits: JournalSize,
  limit: number,
): Promise<{ readonly keys: readonly string[]; readonly bytes: number }> {
  const keys: string[] = [];
  let bytes = 0;
  await scan(database, JOURNAL_ENTRIES, (key, sealed) => {
    const isSmall =
      size.count - keys.length <= limits.count * PRUNED_SHARE && size.bytes - bytes <= limits.bytes * PRUNED_SHARE;
    if (isSmall || keys.length >= limit) return false;
    keys.push(key);
    bytes += key.length + sealed.length;
    return true;
  });
  return { keys, bytes };
}

function dated({ tickMs, ...entry }: JournalEntry & StoredEntry, offsetMs: number | null): JournalEntry {
  return tickMs === undefined || offsetMs === null ? entry : { ...entry, atMs: Math.round(tickMs + offsetMs) };
}

function decodeEntry(key: string, sealed: Uint8Array): JournalEntry & StoredEntry {
  const place = parseJournalKey(key);
  const { form, payload } = unseal(key, sealed);
  const json = form === "packed" ? unpack(key, payload) : payload;
  const stored = parseJson(key, Buffer.from(json).toString("utf8")) as StoredEntry;
  return { ...place, ...stored };
}

function unpack(key: string, packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed, { dictionary: ENTRY_DICTIONARY, maxOutputLength: MAX_ENTRY_BYTES });
  } catch (cause) {
    throw new StorageError("damaged", `${key}: the checksum is valid but the value cannot be unpacked`, { cause });
  }
}
