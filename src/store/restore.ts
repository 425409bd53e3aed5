/** Restores records from the second copy at the start. Pure. */
import { copyPaceOf } from "./copied-tables.ts";
import type { CriticalImage, StoredRow } from "./critical-image.ts";
import { parseRecordKey, recordKey } from "./keys.ts";
import { type Migration, migrate } from "./migrations.ts";
import type { CopyImage } from "./second-copy.ts";

export interface Restored {
  /** All rows to use, in the newest layout. */
  readonly rows: readonly StoredRow[];
  /** The rows that were restored from the copy. */
  readonly taken: readonly StoredRow[];
}

/** True if the database was not completely readable, or was never written: then the copy must be readable. */
export function lacksRecords(image: CriticalImage): boolean {
  return image.isNew || isSalvaged(image) || image.failure !== null || image.damaged.length > 0;
}

function isSalvaged({ salvage = null }: CriticalImage): boolean {
  return salvage !== null;
}

/** Returns the keys of records that may be outdated or removed; without those that an intact copy contains. */
export function stillDoubtful({ salvage = null }: CriticalImage, copy: CopyImage | null): readonly string[] {
  const doubtful = salvage?.doubtful ?? [];
  if (copy === null || !copy.isWhole) return doubtful;
  return doubtful.filter((key) => {
    const place = parseRecordKey(key);
    return place !== null && copyPaceOf(place.table) === "never";
  });
}

/**
 * Combines the database and the copy. If the copy has as many changes as the database or fewer, the readable records of
 * the database are used, and the copy supplies the damaged ones. If the copy has more, the database has lost its end or
 * is gone, and the copy is used for all its tables; a record that is in neither was deleted. For a database that was
 * rebuilt from a damaged one, the copy is used for records that may be outdated, and supplies the missing ones.
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

/** Migrates the readable records; locked ones stay unchanged. */
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
