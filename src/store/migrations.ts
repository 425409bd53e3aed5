/**
 * The layout of the critical database has a version: the number of migrations that made it. An older database is brought
 * up when it is opened: all steps in memory, then one synced batch with the rows and the new version, so that a cut
 * leaves the old layout or the new one.
 */
import { createHash } from "node:crypto";
import { StorageError } from "../platform/ports/storage-error.ts";

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
 * hemgate that knows none of that would take them for damaged. In version 3 what a cloud service set of how it is told is
 * part of the configuration that it set.
 */
export const MIGRATIONS: readonly Migration[] = [(rows) => rows, (rows) => rows, configurationOfSettings];

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

const SETTINGS = "cloud-settings";
const CONFIGURATION = "cloud-configuration";

/** Settings become a document without sections, so that their revision is not taken again. */
function configurationOfSettings(rows: readonly MigratedRow[]): readonly MigratedRow[] {
  const sender = senderOf(rows);
  const isThere = rows.some(({ table }) => table === CONFIGURATION);
  return rows.flatMap((row) => {
    if (row.table !== SETTINGS) return [row];
    if (isThere || !isObject(row.record)) return [];
    const { revision, ...settings } = row.record;
    if (typeof revision !== "number") return [];
    const kept = { revision, settings, unknownKeys: [], sections: {}, base: BASE_OF_NO_SECTION };
    // The salt is made by whoever opens the record first: a step is pure.
    const record = { sender, seen: revision, kept, trial: null, last: null, salt: "" };
    return [{ table: CONFIGURATION, key: row.key, record }];
  });
}

/** What a file says in no section at all, as a document keeps it. */
const BASE_OF_NO_SECTION = createHash("sha256").update("[]").digest("hex");

/** Whose revision it is; empty: of whom the configuration file names. */
function senderOf(rows: readonly MigratedRow[]): string {
  const identity = rows.find(({ table, key }) => table === "cloud-identity" && key === "current")?.record;
  return isObject(identity) ? `${String(identity["service"])}#${String(identity["gateway"])}` : "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
