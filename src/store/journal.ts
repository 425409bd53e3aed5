/** The journal on disk: read in order, pruned from its oldest end. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Database } from "../platform/ports/ports.ts";
import { StorageError } from "../platform/ports/storage-error.ts";
import { intact } from "./critical-image.ts";
import { scan } from "./database.ts";
import { ENTRY_DICTIONARY } from "./entry-dictionary.ts";
import { type Place, parseJson, seal, unseal } from "./envelope.ts";
import { JOURNAL_ENTRIES, journalKey, journalRange, parseJournalKey } from "./keys.ts";
import type { JournalEntry } from "./records.ts";
import type { NewJournalEntry } from "./store.ts";

/** The most entries that one read answers. */
const MAX_JOURNAL_READ = 1_000;

/** Weeks of a busy home without a reader. */
export const JOURNAL_LIMITS: JournalSize = { count: 50_000, bytes: 16 * 1024 * 1024 };
/** More is no entry of ours: the largest asset is a thousandth of it. */
const MAX_ENTRY_BYTES = 4 * 1024 * 1024;
/** Pruning goes below the limits by this much, so that it is rare. */
const PRUNED_SHARE = 0.9;

export interface JournalSize {
  readonly count: number;
  readonly bytes: number;
}

/** A journal entry as it is stored; its place stands in the key. */
export function encodeEntry(entry: NewJournalEntry, atMs: number): string {
  return JSON.stringify({ atMs, event: entry.event, payload: entry.payload ?? null });
}

/** An entry as JSON, packed and sealed for its place: the journal is most of what an idle home writes to its card. */
export function sealEntry(place: Place, json: string): { readonly key: string; readonly value: Uint8Array } {
  const key = journalKey(place);
  const packed = deflateRawSync(Buffer.from(json, "utf8"), { dictionary: ENTRY_DICTIONARY });
  return { key, value: seal(key, place, packed, "packed") };
}

/** Entries after `from` up to `upTo`, oldest first. Damaged ones are left out and named. */
export async function readJournal(
  database: Database,
  range: { readonly from: Place | null; readonly upTo: Place; readonly limit: number },
): Promise<{ readonly entries: readonly JournalEntry[]; readonly damaged: readonly string[] }> {
  const entries: JournalEntry[] = [];
  const damaged: string[] = [];
  const limit = Math.min(range.limit, MAX_JOURNAL_READ);
  await scan(database, journalRange(range.from, range.upTo), (key, sealed) => {
    if (entries.length >= limit) return false;
    const entry = intact(() => decodeEntry(key, sealed));
    if (entry === undefined) damaged.push(key);
    else entries.push(entry);
    return true;
  });
  return { entries, damaged };
}

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

/** The oldest entries that must go, at most `limit` of them; none while `size` is within the limits. */
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

function decodeEntry(key: string, sealed: Uint8Array): JournalEntry {
  const place = parseJournalKey(key);
  const { form, payload } = unseal(key, sealed);
  const json = form === "packed" ? unpack(key, payload) : payload;
  const stored = parseJson(key, Buffer.from(json).toString("utf8")) as Omit<JournalEntry, "epoch" | "seq">;
  return { ...place, ...stored };
}

function unpack(key: string, packed: Uint8Array): Uint8Array {
  try {
    return inflateRawSync(packed, { dictionary: ENTRY_DICTIONARY, maxOutputLength: MAX_ENTRY_BYTES });
  } catch (cause) {
    throw new StorageError("damaged", `${key}: the checksum matches and the value cannot be unpacked`, { cause });
  }
}
