/** What a start takes from the second copy. Pure. */
import { copyPaceOf } from "./copied-tables.ts";
import type { CriticalImage, StoredRow } from "./critical-image.ts";
import { parseRecordKey, recordKey } from "./keys.ts";
import { type Migration, migrate } from "./migrations.ts";
import type { CopyImage } from "./second-copy.ts";

export interface Restored {
  /** The rows to go on with, in the newest layout. */
  readonly rows: readonly StoredRow[];
  /** Those of them that the copy gave. */
  readonly taken: readonly StoredRow[];
}

/** True when the database was not read whole, or has never been written: then a copy has to be readable, too. */
export function lacksRecords(image: CriticalImage): boolean {
  return image.isNew || isSalvaged(image) || image.failure !== null || image.damaged.length > 0;
}

function isSalvaged({ salvage = null }: CriticalImage): boolean {
  return salvage !== null;
}

/** Keys of records that may be older than they were, or were removed: the copy knows of those that it holds. */
export function stillDoubtful({ salvage = null }: CriticalImage, copy: CopyImage | null): readonly string[] {
  const doubtful = salvage?.doubtful ?? [];
  if (copy === null || !copy.isWhole) return doubtful;
  return doubtful.filter((key) => {
    const place = parseRecordKey(key);
    return place !== null && copyPaceOf(place.table) === "never";
  });
}

/**
 * The copy has written fewer changes than the database, or as many: what can be read in the database counts, and the copy
 * gives what damage took there. The copy has more: the database has lost its end, or is gone, and the copy counts in all
 * that it holds. A record that is in neither was deleted. In a database that was made anew from a damaged one the copy
 * counts in what may be older there, and gives what is missing.
 */
export function restore(image: CriticalImage, copy: CopyImage | null, migrations: readonly Migration[]): Restored {
  const found = migrated([...image.rows, ...image.locked], image.version ?? migrations.length, migrations);
  if (copy === null) return { rows: found, taken: [] };
  const copied = byKey(migrated(copy.rows, copy.layout, migrations));
  const isAhead = isCopyAhead(image, copy);
  const isGone = copy.isWhole;
  const doubtful = new Set(image.salvage?.doubtful);
  const kept = byKey(
    found.filter((row) => {
      if (copyPaceOf(row.table) === "never" || !(isAhead || doubtful.has(keyOf(row)))) return true;
      return copied.has(keyOf(row)) ? false : !isGone;
    }),
  );
  const damaged = new Set(image.damaged);
  const taken = [...copied].flatMap(([key, row]) => {
    if (kept.has(key)) return [];
    return isAhead || isSalvaged(image) || image.failure !== null || damaged.has(key) ? [row] : [];
  });
  const known = byKey(found);
  return {
    rows: [...kept.values(), ...taken],
    taken: taken.filter((row) => !isSame(known.get(keyOf(row)), row)),
  };
}

function isCopyAhead(image: CriticalImage, copy: CopyImage): boolean {
  if (copy.changes === null) return image.isNew;
  return image.changes !== null && image.changes < copy.changes;
}

/** Migrations see records only: what cannot be opened stays where it is. */
function migrated(rows: readonly StoredRow[], version: number, migrations: readonly Migration[]): readonly StoredRow[] {
  const open = rows.filter((row) => "record" in row);
  return [...migrate(open, version, migrations), ...rows.filter((row) => "bytes" in row)];
}

function byKey(rows: readonly StoredRow[]): ReadonlyMap<string, StoredRow> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

function keyOf({ table, key }: StoredRow): string {
  return recordKey(table, key);
}

function isSame(one: StoredRow | undefined, other: StoredRow): boolean {
  if (one === undefined || !("record" in one) || !("record" in other)) return false;
  return JSON.stringify(one.record) === JSON.stringify(other.record);
}
