/** The Disk port on LevelDB: one folder a database under the state folder, with a marker beside it. */
import { chmod, mkdir, open, readFile, rename, rm, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Level } from "level";
import type { Database, DatabaseName, Disk } from "../ports.ts";
import { StorageError, storageErrorOf } from "../storage-error.ts";
import { copyFile } from "./copy-file.ts";
import { codeOf } from "./error-code.ts";
import { syncFolder } from "./text-file.ts";
import { requireReadable } from "./unreadable.ts";

const OWNER_ONLY = 0o700;
const MIB = 1024 * 1024;

/**
 * Small caches: a gateway with 1 GB of memory reads history rarely. The telemetry's write buffer holds about a day, so
 * that LevelDB sorts blocks into its tables once a day and not once an hour; it is read again at the next start.
 */
const SIZES: Readonly<Record<DatabaseName, { readonly cacheSize: number; readonly writeBufferSize: number }>> = {
  critical: { cacheSize: MIB, writeBufferSize: MIB },
  telemetry: { cacheSize: 4 * MIB, writeBufferSize: 4 * MIB },
};
const MAX_OPEN_FILES = 64;
/** Renames of one second. */
const MAX_ASIDE_NAMES = 100;

/** Keeps the databases under `stateFolder`, which is made when it is missing. */
export function nodeDisk({ stateFolder }: { readonly stateFolder: string }): Disk {
  return {
    copy: copyFile(stateFolder),
    async open(name) {
      try {
        return await openLevel(stateFolder, name);
      } catch (error) {
        const failure = storageErrorOf(error, `the ${name} database in ${stateFolder} does not open`);
        if (failure.kind !== "locked") throw failure;
        throw new StorageError("locked", `another hemgate uses the folder ${stateFolder}`, { cause: error });
      }
    },
    async moveAside(name) {
      try {
        return await moveFolder(stateFolder, name);
      } catch (error) {
        throw storageErrorOf(error, `the ${name} database in ${stateFolder} cannot be moved`);
      }
    },
    async freeBytes() {
      try {
        const { bavail, bsize } = await statfs(stateFolder);
        return bavail * bsize;
      } catch (error) {
        throw storageErrorOf(error, `the room left for ${stateFolder} is not known`);
      }
    },
  };
}

async function openLevel(stateFolder: string, name: DatabaseName): Promise<Database> {
  const folder = join(stateFolder, name);
  await mkdir(stateFolder, { recursive: true, mode: OWNER_ONLY });
  await requireReadable(folder, markerOf(folder));
  const existed = await exists(markerOf(folder));
  const hasCurrent = await exists(join(folder, "CURRENT"));
  // LevelDB takes a folder without CURRENT for a new database and deletes the tables in it.
  if (existed && !hasCurrent) throw new StorageError("damaged", `${folder} has lost its file CURRENT`);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  await chmod(folder, OWNER_ONLY);
  const level = new Level<string, Uint8Array>(folder, {
    ...SIZES[name],
    keyEncoding: "utf8",
    valueEncoding: "view",
    compression: true,
    maxOpenFiles: MAX_OPEN_FILES,
    createIfMissing: !hasCurrent,
  });
  try {
    await level.open();
  } catch (error) {
    throw await readableOr(folder, error);
  }
  if (!existed) await writeMarker(stateFolder, folder);
  return level;
}

/** A database whose CURRENT names a manifest that is not there fails as an I/O error, as a full disk does. */
async function readableOr(folder: string, error: unknown): Promise<unknown> {
  await requireReadable(folder, markerOf(folder));
  const failure = storageErrorOf(error, `${folder} does not open`);
  if (failure.kind !== "refused" || !(await exists(join(folder, "CURRENT")))) return failure;
  const manifest = (await readFile(join(folder, "CURRENT"), "latin1")).trim();
  if (/^MANIFEST-\d+$/.test(manifest) && (await isFilled(join(folder, manifest)))) return failure;
  return new StorageError("damaged", `${folder} has no readable manifest`, { cause: error });
}

async function isFilled(path: string): Promise<boolean> {
  return (await exists(path)) && (await stat(path)).size > 0;
}

async function moveFolder(stateFolder: string, name: DatabaseName): Promise<string> {
  const folder = join(stateFolder, name);
  const target = await freeName(`${folder}.damaged-${stamp(new Date(Date.now()))}`);
  // The marker goes last: without it, a folder that lost CURRENT would be taken for a new database.
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  await rename(folder, target);
  await rm(markerOf(folder), { force: true });
  await syncFolder(stateFolder);
  return target;
}

async function freeName(wanted: string): Promise<string> {
  for (let count = 1; count <= MAX_ASIDE_NAMES; count++) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!(await exists(name))) return name;
  }
  throw new StorageError("refused", `${wanted} and ${MAX_ASIDE_NAMES} names like it are taken`);
}

/** `20260621T142501Z`. */
function stamp(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, "");
}

function markerOf(folder: string): string {
  return `${folder}.exists`;
}

async function writeMarker(stateFolder: string, folder: string): Promise<void> {
  const marker = await open(markerOf(folder), "w", 0o600);
  try {
    await marker.sync();
  } finally {
    await marker.close();
  }
  await syncFolder(stateFolder);
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}
