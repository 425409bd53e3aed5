/** The Disk port on LevelDB: one folder a database under the state folder, with a marker beside it. */
import { chmod, mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Level } from "level";
import { codeOf } from "../../error-text.ts";
import type { Database, DatabaseName, Disk, RebuildParts } from "../../ports/ports.ts";
import { StorageError, storageErrorOf } from "../../ports/storage-error.ts";
import { type ClosedState, closedState, closedStateOf, readFolder, type WholeTables } from "../leveldb/folder.ts";
import { holdLock, rebuild, rebuiltOf } from "../leveldb/rebuild.ts";
import { copyFile } from "./copy-file.ts";
import { isThere } from "./is-there.ts";
import { syncFolder } from "./text-file.ts";
import { requireReadable, unreadable } from "./unreadable.ts";

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
/** Beside a second history. */
const ROOM_LEFT_BYTES = 100 * MIB;

/** Keeps the databases under `stateFolder`, which is made when it is missing. */
export function nodeDisk({ stateFolder }: { readonly stateFolder: string }): Disk {
  const wholeTables: WholeTables = new Map();
  return {
    copy: copyFile(stateFolder),
    async open(name) {
      try {
        return await openLevel(stateFolder, name, wholeTables);
      } catch (error) {
        const failure = storageErrorOf(error, `the ${name} database in ${stateFolder} does not open`);
        if (failure.kind !== "locked") throw failure;
        throw new StorageError("locked", `another hemgate uses the folder ${stateFolder}`, { cause: error });
      }
    },
    async rebuild(name, parts) {
      try {
        return await rebuildLevel(stateFolder, name, parts);
      } catch (error) {
        throw storageErrorOf(error, `the ${name} database in ${stateFolder} cannot be rebuilt`);
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

/** Holds the lock of a gateway on its state folder. Rejects with a `StorageError("locked")` while another process has it. */
export async function lockState(stateFolder: string): Promise<AsyncDisposable> {
  try {
    return await holdLock(join(stateFolder, "critical"), (own) => openPlain(own, "critical"));
  } catch (error) {
    throw storageErrorOf(error, `the state folder ${stateFolder} cannot be locked`);
  }
}

async function openLevel(stateFolder: string, name: DatabaseName, wholeTables: WholeTables): Promise<Database> {
  const folder = join(stateFolder, name);
  await mkdir(stateFolder, { recursive: true, mode: OWNER_ONLY });
  await requireReadable(folder, markerOf(folder));
  await finishRebuild(stateFolder, folder);
  const existed = await isThere(markerOf(folder));
  if (existed || (await hasData(folder))) await requireWhole(folder, wholeTables);
  await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
  await chmod(folder, OWNER_ONLY);
  const level = new NotedLevel(folder, { ...optionsOf(name), createIfMissing: !existed });
  try {
    await level.open();
  } catch (error) {
    await requireReadable(folder, markerOf(folder));
    throw storageErrorOf(error, `${folder} does not open`);
  }
  if (!existed) await writeMarker(stateFolder, folder);
  return level;
}

/** LevelDB takes a folder without CURRENT for a new database and deletes what is in it. */
async function hasData(folder: string): Promise<boolean> {
  if (!(await isThere(folder))) return false;
  return (await readdir(folder)).some((name) => name === "CURRENT" || /^\d+\.(?:log|ldb|sst)$/.test(name));
}

async function requireWhole(folder: string, wholeTables: WholeTables): Promise<void> {
  const read = async (): Promise<readonly string[]> =>
    (await readFolder(folder, await readNote(markerOf(folder)), wholeTables)).damage;
  if ((await read()).length === 0) return;
  // A database that another process has open changes while it is read.
  await using _lock = await holdLock(folder, (own) => openPlain(own, "critical"));
  const damage = await read();
  if (damage.length > 0) throw new StorageError("damaged", damage.join(", "));
}

function optionsOf(name: DatabaseName) {
  return {
    ...SIZES[name],
    keyEncoding: "utf8",
    valueEncoding: "view",
    compression: true,
    maxOpenFiles: MAX_OPEN_FILES,
  } as const;
}

async function openPlain(folder: string, name: DatabaseName): Promise<Level<string, Uint8Array>> {
  const level = new Level<string, Uint8Array>(folder, { ...optionsOf(name), createIfMissing: true });
  await level.open();
  return level;
}

async function rebuildLevel(stateFolder: string, name: DatabaseName, parts: RebuildParts): Promise<boolean> {
  const folder = join(stateFolder, name);
  const open = (each: string): Promise<Level<string, Uint8Array>> => openPlain(each, name);
  await using _lock = await holdLock(folder, open);
  const state = await readFolder(folder, await readNote(markerOf(folder)), new Map());
  const { bavail, bsize } = await statfs(stateFolder);
  const isRoomy = bavail * bsize > (await sizeOf(folder)) + ROOM_LEFT_BYTES;
  if (!isRoomy && name === "telemetry") return false;
  const aside = await freeName(`${folder}.damaged-${stamp(new Date(Date.now()))}`);
  return await rebuild({
    folder,
    aside,
    state,
    open,
    isProven: (key, value) => parts.ageOf(Buffer.from(key, "latin1").toString("utf8"), value),
    isDoubted: name === "critical",
    report: (doubtful) => parts.report({ damage: state.damage, where: aside, doubtful }),
    swap: async (step) => {
      // What it was when it was closed is of no use for the new one.
      await writeMarker(stateFolder, folder);
      await step();
      await syncFolder(stateFolder);
    },
  });
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder)) bytes += (await stat(join(folder, name))).size;
  return bytes;
}

/** Finishes a rebuild that a crash or a power cut interrupted. */
async function finishRebuild(stateFolder: string, folder: string): Promise<void> {
  if (!(await isThere(rebuiltOf(folder)))) return;
  if (await isThere(folder)) await rm(rebuiltOf(folder), { recursive: true, force: true });
  else await rename(rebuiltOf(folder), folder);
  await syncFolder(stateFolder);
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

async function freeName(preferred: string): Promise<string> {
  for (let count = 1; count <= MAX_ASIDE_NAMES; count++) {
    const name = count === 1 ? preferred : `${preferred}-${count}`;
    if (!(await isThere(name))) return name;
  }
  throw new StorageError("refused", `${preferred} and ${MAX_ASIDE_NAMES} names like it are taken`);
}

/** `20260621T142501Z`. */
function stamp(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, "");
}

function markerOf(folder: string): string {
  return `${folder}.exists`;
}

/** Says beside itself, once it is closed, how it was then. */
class NotedLevel extends Level<string, Uint8Array> {
  override async close(): Promise<void> {
    const wasOpen = this.status === "open";
    await super.close();
    if (wasOpen) await writeNote(this.location);
  }
}

/** Without the note damage is found by checksums only: a file that was cut off at the right place looks whole. */
async function writeNote(folder: string): Promise<void> {
  const marker = markerOf(folder);
  try {
    const state = await closedState(folder);
    await writeFile(`${marker}.new`, state === null ? "" : JSON.stringify(state), { mode: 0o600 });
    await rename(`${marker}.new`, marker);
  } catch {
    // The one that is there is of an earlier manifest, and is not used.
  }
}

async function readNote(marker: string): Promise<ClosedState | null> {
  try {
    return closedStateOf(JSON.parse(await readFile(marker, "utf8")));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || error instanceof SyntaxError) return null;
    throw await unreadable(marker, error);
  }
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
