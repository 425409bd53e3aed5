/** Loads the critical database at the start of the gateway, and completes it from the second copy after damage. */
import { errorText } from "../platform/error-text.ts";
import type { Database, Log, Salvage } from "../platform/ports/ports.ts";
import { type StorageError, storageErrorOf } from "../platform/ports/storage-error.ts";
import { type CriticalImage, readCritical, type StoredRow } from "./critical-image.ts";
import { SCHEMA_KEY } from "./keys.ts";
import type { Migration } from "./migrations.ts";
import { lacksRecords, type Restored, restore, stillDoubtful } from "./restore.ts";
import { salvageText } from "./salvage.ts";
import type { CopyImage, SecondCopy } from "./second-copy.ts";
import type { StoredRecords } from "./stored-records.ts";

/** Maximum number of keys in a notice; further ones are counted. */
const MAX_NAMED_KEYS = 20;

export interface LoadCriticalParts {
  readonly database: Database;
  readonly records: StoredRecords;
  readonly copy: SecondCopy;
  /** The report of a database that was rebuilt from a damaged one. */
  readonly salvage: Salvage | null;
  /** Moves the file of the copy aside. Returns its new path. */
  moveCopyAside(): Promise<string>;
  readonly migrations: readonly Migration[];
  readonly log: Log;
}

export interface LoadedCritical {
  readonly rows: readonly StoredRow[];
  /** See `StoredRecords.changes`. */
  readonly changes: number;
  /** The largest epoch that was found. */
  readonly epoch: number;
  /** Keys of records that may be outdated, or may have been removed. */
  readonly doubtful: readonly string[];
  /** True if records were restored from the copy. */
  readonly isRestored: boolean;
  /** Texts for people: what was damaged and what was restored. */
  readonly notices: readonly string[];
  /** Why the database could not be read to its end; `null` if it could. */
  readonly failure: unknown;
}

/**
 * Loads the records. Rejects with a `StorageError`, also if records are missing and the copy that may have them cannot
 * be read now.
 */
export async function loadCritical(parts: LoadCriticalParts): Promise<LoadedCritical> {
  const { database, records, salvage, migrations, log } = parts;
  const image = { ...(await readCritical(database, records.codec)), salvage };
  const { copy, notices } = await readCopy(parts, image);
  const doubtful = stillDoubtful(image, copy);
  const { rows, taken } = restore(image, copy, migrations);
  const version = image.version ?? migrations.length;
  if (image.version !== null && version !== migrations.length && !image.isNew) {
    log.info({ from: version, to: migrations.length }, "migrated the store to a new layout");
  }
  return {
    rows,
    changes: Math.max(image.changes ?? 0, copy?.changes ?? 0) + (image.changes === null ? 1 : 0),
    epoch: Math.max(image.epoch, copy?.epoch ?? 0),
    doubtful,
    isRestored: taken.length > 0,
    notices: [
      ...(salvage === null ? [] : [salvageText("critical", { ...salvage, doubtful })]),
      ...(image.version === null ? [`${SCHEMA_KEY}: damaged; assumed to be ${version}`] : []),
      ...notices,
      ...restoredNotices(image, copy, taken),
    ],
    failure: image.failure,
  };
}

async function readCopy(
  { copy, moveCopyAside }: LoadCriticalParts,
  image: CriticalImage,
): Promise<{ readonly copy: CopyImage | null; readonly notices: readonly string[] }> {
  let found: CopyImage | null;
  try {
    found = await copy.read();
  } catch (error) {
    const failure = storageErrorOf(error, "the second copy cannot be read");
    if (lacksRecords(image)) throw failure;
    return { copy: null, notices: [`${textOf(failure)}; no record is missing, and the copy will be written again`] };
  }
  if (found === null || found.isWhole) return { copy: found, notices: [] };
  const where = await moveCopyAside().catch((error: unknown) => {
    const failure = storageErrorOf(error, "the damaged second copy cannot be moved aside");
    // Its readable records are needed and would be overwritten.
    if (lacksRecords(image)) throw failure;
    return null;
  });
  const kept = where === null ? "overwritten" : `moved to ${where}`;
  return { copy: found, notices: [`second copy: damaged, ${found.rows.length} records readable; ${kept}`] };
}

function restoredNotices(image: CriticalImage, copy: CopyImage | null, taken: Restored["taken"]): readonly string[] {
  if (copy === null || taken.length === 0) return [];
  const keys = taken.slice(0, MAX_NAMED_KEYS).map(({ table, key }) => `${table} ${key}`);
  const more = taken.length > keys.length ? ` and ${taken.length - keys.length} more` : "";
  const sinceText = copy.writtenAtMs === null ? "" : ` of ${new Date(copy.writtenAtMs).toISOString()}`;
  const rest = image.isNew ? "; actions, tokens and the journal before that are lost" : "";
  return [
    `${taken.length} records restored from the second copy${sinceText}; later changes of them are lost${rest}: ${keys.join(", ")}${more}`,
  ];
}

function textOf({ message, cause }: StorageError): string {
  return cause instanceof Error ? `second copy: ${message} (${errorText(cause)})` : `second copy: ${message}`;
}
