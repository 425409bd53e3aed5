/** Backups as files, and the files that they are made of. */
import type { Dirent, Stats } from "node:fs";
import { link, mkdir, open, readdir, readFile, rm, stat, statfs } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HOUR_MS } from "../../../domain/duration.ts";
import { codeOf } from "../../error-text.ts";
import type { BackupFiles, OwnFile, StoredBackup } from "../../ports/backup-files-port.ts";
import { FileError, fileError, syncFolder } from "./text-file.ts";

export const BACKUP_ENDING = ".hgbackup";
/** Behind the name of a file that is not whole yet. */
const UNFINISHED = ".part";
const OWN_UNFINISHED = /^hemgate-.*\.hgbackup\.part$/;
const FOLDER = "backups";
/** What people put into the state folder; the rest of it is the store, and what is made again. */
const OWN_FOLDERS = ["adapters", "profiles"];
const MAX_FILE_BYTES = 16 * 1024 * 1024;
const READ_BYTES = 64 * 1024;
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

export interface BackupPlace {
  readonly stateFolder: string;
  /** Path of the configuration. Absent: it is not a file, and not in the backup. */
  readonly configFile?: string | undefined;
}

export function nodeBackupFiles(place: BackupPlace): BackupFiles {
  return {
    folder: join(place.stateFolder, FOLDER),
    own: () => ownFiles(place),
    list: listBackups,
    async write(folder, name, content) {
      await removeUnfinished(folder);
      return await writeNewFile(join(folder, name), content);
    },
    async read(folder, name) {
      const path = join(folder, name);
      return (await factsOf(path)) === null ? null : readBackup(path);
    },
    async remove(folder, name) {
      await rm(join(folder, name), { force: true });
    },
  };
}

/** See `BackupFiles.own`. */
async function* ownFiles({ stateFolder, configFile }: BackupPlace): AsyncGenerator<OwnFile> {
  if (configFile !== undefined) yield { name: "gateway.yaml", bytes: await wholeFile(configFile) };
  for (const folder of OWN_FOLDERS) {
    for (const path of await filesBelow(join(stateFolder, folder))) {
      yield { name: `state${path.slice(stateFolder.length)}`, bytes: await wholeFile(path) };
    }
  }
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(folder, { recursive: true, withFileTypes: true });
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw fileError(folder, error);
  }
  // Links of a package manager lead to files that are listed themselves.
  return entries.flatMap((entry) => (entry.isFile() ? join(entry.parentPath, entry.name) : [])).toSorted();
}

async function wholeFile(path: string): Promise<Uint8Array> {
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new FileError(`${path} is larger than ${MAX_FILE_BYTES} bytes`, false);
    return await readFile(path);
  } catch (error) {
    throw fileError(path, error);
  }
}

/** See `BackupFiles.list`. */
export async function listBackups(folder: string): Promise<readonly StoredBackup[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith(BACKUP_ENDING));
    const found = await Promise.all(
      names.map(async (name): Promise<StoredBackup[]> => {
        const facts = await factsOf(join(folder, name));
        return facts === null ? [] : [{ name, bytes: facts.size, writtenAtMs: Math.floor(facts.mtimeMs) }];
      }),
    );
    return found
      .flat()
      .toSorted((one, other) => other.writtenAtMs - one.writtenAtMs || (one.name < other.name ? 1 : -1));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw fileError(folder, error);
  }
}

/** Removes what a power cut left of backups; one that another process writes now changed within the hour. */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((each) => OWN_UNFINISHED.test(each))) {
    const path = join(folder, name);
    const facts = await factsOf(path);
    // By the clock that wrote it, which a box without a battery has wrong for a while.
    if (facts !== null && Math.abs(Date.now() - facts.mtimeMs) > HOUR_MS) await rm(path, { force: true });
  }
}

/** Writes a file that is whole or not there; one of this name is never replaced. Rejects with a `FileError`. */
export async function writeNewFile(path: string, content: AsyncIterable<Uint8Array>): Promise<StoredBackup> {
  if ((await factsOf(path)) !== null) throw taken(path);
  const part = `${path}${UNFINISHED}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
    const file = await open(part, "w", OWNER_ONLY_FILE);
    try {
      for await (const piece of content) await file.writeFile(piece);
      await file.sync();
    } finally {
      await file.close();
    }
    // Unlike a rename it replaces nothing that another process made meanwhile.
    await link(part, path);
    await syncFolder(dirname(path));
    const { size, mtimeMs } = await stat(path);
    return { name: basename(path), bytes: size, writtenAtMs: Math.floor(mtimeMs) };
  } catch (error) {
    if (codeOf(error) === "EEXIST") throw taken(path);
    throw isOfFile(error) ? diskError(path, error) : error;
  } finally {
    // A full disk gets back what the attempt took.
    await rm(part, { force: true }).catch(() => undefined);
  }
}

/** Reads a backup in pieces. Its errors are `FileError`s that name it. */
export async function* readBackup(path: string): AsyncGenerator<Uint8Array> {
  try {
    const file = await open(path);
    try {
      if (!(await file.stat()).isFile()) throw new FileError(`${path} is not a file`, false);
      yield* file.createReadStream({ highWaterMark: READ_BYTES, autoClose: false });
    } finally {
      await file.close();
    }
  } catch (error) {
    throw isOfFile(error) ? fileError(path, error) : error;
  }
}

/** Size of a backup. Rejects with a `FileError`. */
export async function backupBytes(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    throw fileError(path, error);
  }
}

/** Bytes that can still be written in a folder. */
export async function freeBytesIn(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Describes an error of the file system; a full disk is named as that. */
export function diskError(path: string, error: unknown): FileError {
  const code = codeOf(error);
  if (code !== "ENOSPC" && code !== "EDQUOT") return fileError(path, error);
  const message = `there is no space left for ${path}; free some, or name a place on another disk`;
  return new FileError(message, false, { cause: error });
}

function taken(path: string): FileError {
  return new FileError(`${path} exists already; name another file`, false);
}

async function factsOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw fileError(path, error);
  }
}

/** Returns true for errors of the file system, which have the name of a call; others come from the content. */
function isOfFile(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "errno" in error;
}
