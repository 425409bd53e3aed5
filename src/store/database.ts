/** Helpers around a `Database`: synced batches and scans. */
import type { Database } from "../platform/ports/ports.ts";

export type Operation =
  | { readonly type: "put"; readonly key: string; readonly value: Uint8Array }
  | { readonly type: "del"; readonly key: string };

export interface KeyRange {
  readonly gte: string;
  readonly lt: string;
}

/** Without `sync` LevelDB returns before the data is on disk, and a power cut loses it. */
const SYNCED = { sync: true, keyEncoding: "utf8", valueEncoding: "view" } as const;

/** Entries that an iterator fetches at once. */
const PAGE = 256;

/** Writes a batch atomically; it is on disk when the promise resolves. */
export async function writeSynced(database: Database, operations: readonly Operation[]): Promise<void> {
  await database.batch([...operations], SYNCED);
}

/** Visits a range in key order. Ends early if the visitor returns false. */
export async function scan(
  database: Database,
  range: KeyRange & { readonly reverse?: boolean; readonly snapshot?: ReturnType<Database["snapshot"]> },
  visit: (key: string, value: Uint8Array) => boolean | undefined,
): Promise<void> {
  const iterator = database.iterator<string, Uint8Array>({ ...range, keyEncoding: "utf8", valueEncoding: "view" });
  try {
    for (;;) {
      const page = await iterator.nextv(PAGE);
      if (page.length === 0) return;
      for (const [key, value] of page) {
        if (visit(key, value) === false) return;
      }
    }
  } finally {
    await iterator.close();
  }
}

/** Compacts the database, so that its files no longer contain replaced or removed values. */
export async function compactAll(database: Database): Promise<void> {
  const { gte, lt } = prefixRange("");
  await database.compactRange?.(gte, lt);
}

/** Returns the range of all keys with a prefix; no character sorts after the last one of the bound. */
export function prefixRange(prefix: string): KeyRange {
  return { gte: prefix, lt: `${prefix}\u{10ffff}` };
}

/** Returns the first keys of a range, at most `limit`. */
export async function firstKeys(database: Database, range: KeyRange, limit: number): Promise<string[]> {
  return await database.keys<string>({ ...range, limit, keyEncoding: "utf8" }).all();
}
