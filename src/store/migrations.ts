/**
 * Migrations of the critical database. Its layout version is the number of migrations that were applied. An older
 * database is migrated when it is opened: all steps in memory, then one synced batch with the rows and the new version,
 * so that after a power cut it has the old layout or the new one.
 */
import { createHash } from "node:crypto";
import { StorageError } from "../platform/ports/storage-error.ts";

export interface MigratedRow {
  /** Name of the table in that version. */
  readonly table: string;
  readonly key: string;
  readonly record: unknown;
}

/** Converts all rows of one version to the next. Pure; rows that it does not return are removed. */
export type Migration = (rows: readonly MigratedRow[]) => readonly MigratedRow[];

/**
 * Version 1 is the first layout; before it there is only the empty database. Since version 2 records may be sealed,
 * which an older hemgate would take for damage. Since version 3 the cloud service's settings are part of its
 * configuration record.
 */
export const MIGRATIONS: readonly Migration[] = [(rows) => rows, (rows) => rows, configurationOfSettings];

/** Runs the migrations after `version`. Throws a `StorageError("newer")` for rows of an unknown later version. */
export function migrate(
  rows: readonly MigratedRow[],
  version: number,
  migrations: readonly Migration[],
): readonly MigratedRow[] {
  if (version > migrations.length) {
    const known = migrations.length;
    throw new StorageError(
      "newer",
      `the critical database has layout ${version}, this version of hemgate supports ${known}: run the later version again`,
    );
  }
  return migrations.slice(version).reduce((current, step) => step(current), rows);
}

const SETTINGS = "cloud-settings";
const CONFIGURATION = "cloud-configuration";

/** Converts settings to a document without sections, so that their revision is not applied again. */
function configurationOfSettings(rows: readonly MigratedRow[]): readonly MigratedRow[] {
  const sender = senderOf(rows);
  const isThere = rows.some(({ table }) => table === CONFIGURATION);
  return rows.flatMap((row) => {
    if (row.table !== SETTINGS) return [row];
    if (isThere || !isObject(row.record)) return [];
    const { revision, ...settings } = row.record;
    if (typeof revision !== "number") return [];
    const kept = { revision, settings, unknownKeys: [], sections: {}, base: BASE_OF_NO_SECTION };
    // The salt is created when the record is first opened, because a migration is pure.
    const record = { sender, seen: revision, kept, trial: null, last: null, salt: "" };
    return [{ table: CONFIGURATION, key: row.key, record }];
  });
}

/** The digest of a file without any of the sections, as documents store it. */
const BASE_OF_NO_SECTION = createHash("sha256").update("[]").digest("hex");

/** Returns the sender of the revision; empty for an account from the configuration file. */
function senderOf(rows: readonly MigratedRow[]): string {
  const identity = rows.find(({ table, key }) => table === "cloud-identity" && key === "current")?.record;
  return isObject(identity) ? `${String(identity["service"])}#${String(identity["gateway"])}` : "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
