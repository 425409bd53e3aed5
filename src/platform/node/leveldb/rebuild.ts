/** Rebuilds a damaged database from its intact records: next to it first, then in its place. */
import { link, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Level } from "level";
import { codeOf } from "../../error-text.ts";
import type { Proof } from "./entry.ts";
import type { FolderState } from "./folder.ts";
import { salvageFolder } from "./salvage.ts";

export interface RebuildParts {
  readonly folder: string;
  /** Where the damaged database goes. */
  readonly aside: string;
  readonly state: FolderState;
  readonly isProven: Proof;
  readonly isDoubted: boolean;
  /** Opens a LevelDB, made if missing. */
  open(folder: string): Promise<Level<string, Uint8Array>>;
  /** What the new database gets beside the records. */
  report(doubtful: readonly string[]): { readonly key: string; readonly value: Uint8Array };
  /** Does one step of putting it in the place of the damaged one, and makes that last. */
  swap(step: () => Promise<void>): Promise<void>;
}

export function rebuiltOf(folder: string): string {
  return `${folder}.rebuilt`;
}

/**
 * False when no record was found. A cut before the first rename leaves the damaged database, one between the two a folder
 * that is missing and its successor beside it.
 */
export async function rebuild(parts: RebuildParts): Promise<boolean> {
  const { folder, aside, state, isProven, isDoubted, open, report, swap } = parts;
  const rebuilt = rebuiltOf(folder);
  await rm(rebuilt, { recursive: true, force: true });
  const level = await open(rebuilt);
  try {
    const { count, doubtful } = await salvageFolder(folder, state, level, { isProven, isDoubted });
    if (count === 0) return false;
    const { key, value } = report(doubtful);
    await level.put(key, value, { sync: true });
  } finally {
    await level.close();
  }
  await mkdir(folder, { recursive: true });
  await swap(() => rename(folder, aside));
  await swap(() => rename(rebuilt, folder));
  return true;
}

/**
 * Holds LevelDB's lock on a folder without opening the database in it: through another folder with the same file `LOCK`.
 * Rejects as LevelDB does when another process has it.
 */
export async function holdLock(folder: string, open: RebuildParts["open"]): Promise<AsyncDisposable> {
  const own = `${folder}.lock`;
  await rm(own, { recursive: true, force: true });
  await mkdir(own, { mode: 0o700 });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await linkLock(folder, own);
  try {
    const level = await open(own);
    return {
      [Symbol.asyncDispose]: async () => {
        await level.close();
        await rm(own, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(own, { recursive: true, force: true });
    throw error;
  }
}

async function linkLock(folder: string, own: string): Promise<void> {
  try {
    await link(join(folder, "LOCK"), join(own, "LOCK"));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    await writeFile(join(folder, "LOCK"), "", { flag: "a", mode: 0o600 });
    await link(join(folder, "LOCK"), join(own, "LOCK"));
  }
}
