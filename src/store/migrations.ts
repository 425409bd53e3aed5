/**
 * The layout of the critical database has a version: the number of migrations that made it. An older database is brought
 * up when it is opened: all steps in memory, then one synced batch with the rows and the new version, so that a cut
 * leaves the old layout or the new one.
 */
import { StorageError } from "../platform/storage-error.ts";

export interface MigratedRow {
  /** The table as that version calls it. */
  readonly table: string;
  readonly key: string;
  readonly record: unknown;
}

/** All rows of one version to all rows of the next. Pure; a row that it does not answer is removed. */
export type Migration = (rows: readonly MigratedRow[]) => readonly MigratedRow[];

/**
 * Version 1 is the first layout; before it there is only the empty database. In version 2 records may be sealed: a
 * hemgate that knows none of that would take them for damaged.
 */
export const MIGRATIONS: readonly Migration[] = [(rows) => rows, (rows) => rows];

/** Runs the steps that rows of `version` lack. Throws `newer` for rows of a later version than the steps lead to. */
export function migrate(
  rows: readonly MigratedRow[],
  version: number,
  migrations: readonly Migration[],
): readonly MigratedRow[] {
  if (version > migrations.length) {
    const known = migrations.length;
    throw new StorageError(
      "newer",
      `the critical database has layout ${version}, this version of hemgate knows ${known}: run the later version again`,
    );
  }
  return migrations.slice(version).reduce((current, step) => step(current), rows);
}
