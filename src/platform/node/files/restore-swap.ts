/**
 * Puts a restored state into the place of the present one: all of it or nothing. It is made in the folder `restore.staged` of
 * the state folder; renaming that to `restore.ready` decides. What a power cut interrupts after that is finished by the next
 * start; what it interrupts before has changed nothing.
 */
import type { Stats } from "node:fs";
import { chmod, chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../../error-text.ts";
import { lockState } from "./node-disk.ts";
import { syncFolder } from "./text-file.ts";

const STAGED = "restore.staged";
const READY = "restore.ready";
const PLAN = "plan.json";
/** What is replaced. The database whose lock is held comes last. */
export const STATE_NAMES = [
  "profiles",
  "adapters",
  "copy",
  "telemetry.exists",
  "telemetry",
  "critical.exists",
  "critical",
];
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;
const ROOT_USER = 0;

interface Plan {
  /** Where the replaced state goes, in the state folder. */
  readonly aside: string;
  /** Path of the configuration; `null` if it stays as it is. */
  readonly configFile: string | null;
  readonly stamp: string;
}

export interface RestoredPlace {
  /** The replaced state; `null` if there was none. */
  readonly stateBefore: string | null;
  /** The replaced configuration; `null` if there was none, or if it was the same. */
  readonly configBefore: string | null;
}

/** Called before each step that a power cut may come between; tests end the process there, or throw. */
export type OnStep = (step: string) => void;

/** Makes the folder that the restored state is put together in, empty. */
export async function stagingFolder(stateFolder: string): Promise<string> {
  const staged = join(stateFolder, STAGED);
  await rm(staged, { recursive: true, force: true });
  await mkdir(staged, { mode: OWNER_ONLY_FOLDER });
  return staged;
}

/** Removes what a restore that failed has put together, unless it was decided: the next start finishes that one. */
export async function dropStaged(stateFolder: string, configFile: string | null): Promise<void> {
  if ((await factsOf(join(stateFolder, READY))) !== null) return;
  await rm(join(stateFolder, STAGED), { recursive: true, force: true });
  if (configFile !== null) await rm(restoredName(configFile), { force: true });
}

export interface SwapParts {
  readonly stateFolder: string;
  /** The configuration of the backup and its path; `null` if the present one stays. */
  readonly config: { readonly path: string; readonly bytes: Uint8Array } | null;
  readonly at: Date;
  readonly onStep?: OnStep;
}

/** Replaces the present state by the staged one. The caller holds the lock of the state folder. */
export async function swapIn(parts: SwapParts): Promise<RestoredPlace> {
  const { stateFolder, config, at, onStep = () => undefined } = parts;
  const staged = join(stateFolder, STAGED);
  const stamp = at.toISOString().replace(/[-:]|\.\d+/g, "");
  const isNewConfig = config !== null && !(await hasBytes(config.path, config.bytes));
  onStep("stage the configuration");
  if (isNewConfig) await stageConfig(config.path, config.bytes, stateFolder);
  const configFile = isNewConfig ? resolve(config.path) : null;
  const plan: Plan = { aside: `before-restore-${stamp}`, configFile, stamp };
  await writeFile(join(staged, PLAN), JSON.stringify(plan), { mode: OWNER_ONLY_FILE });
  onStep("sync the staged state");
  await settleTree(staged, await stat(stateFolder));
  onStep("decide");
  await rename(staged, join(stateFolder, READY));
  await syncFolder(stateFolder);
  return await roll(stateFolder, onStep);
}

/**
 * Finishes a restore that was interrupted after it was decided, and removes what one left that was not. Rejects with a
 * `StorageError("locked")` while another process uses the folder. Resolves to `false` if there was nothing to do.
 */
export async function finishRestore(stateFolder: string): Promise<boolean> {
  const isReady = (await factsOf(join(stateFolder, READY))) !== null;
  const isStaged = (await factsOf(join(stateFolder, STAGED))) !== null;
  if (!isReady && !isStaged) return false;
  await using _lock = await lockState(stateFolder);
  await rm(join(stateFolder, STAGED), { recursive: true, force: true });
  if (isReady) await roll(stateFolder, () => undefined);
  return isReady;
}

/** Moves everything into its place. Each step may have been done already. */
async function roll(stateFolder: string, onStep: OnStep): Promise<RestoredPlace> {
  const ready = join(stateFolder, READY);
  const plan: Plan = JSON.parse(await readFile(join(ready, PLAN), "utf8"));
  const aside = join(stateFolder, plan.aside);
  await mkdir(aside, { recursive: true, mode: OWNER_ONLY_FOLDER });
  const configBefore = plan.configFile === null ? null : await placeConfig(plan.configFile, plan.stamp, onStep);
  // What the backup does not have is decided while everything is still in place.
  for (const name of STATE_NAMES) {
    const isRestored = (await factsOf(join(ready, name))) !== null;
    const isAside = (await factsOf(join(aside, name))) !== null;
    const isPresent = (await factsOf(join(stateFolder, name))) !== null;
    if (isPresent && !isAside && (isRestored || !(await wasPlaced(ready, name)))) {
      onStep(`move ${name} aside`);
      await rename(join(stateFolder, name), join(aside, name));
    }
    if (!isRestored) continue;
    // The lock of the start that goes on made its folder again.
    if (isPresent && isAside) await rm(join(stateFolder, name), { recursive: true });
    await notePlaced(ready, name);
    onStep(`place ${name}`);
    await rename(join(ready, name), join(stateFolder, name));
  }
  await syncFolder(aside);
  await syncFolder(stateFolder);
  onStep("remove the plan");
  await rm(ready, { recursive: true, force: true });
  const isEmpty = await hasNothing(aside);
  if (isEmpty) await rm(aside, { recursive: true });
  await syncFolder(stateFolder);
  return { stateBefore: isEmpty ? null : aside, configBefore };
}

/** Returns true if nothing but the lock was replaced: on a new box. */
async function hasNothing(aside: string): Promise<boolean> {
  const names = await readdir(aside, { recursive: true });
  return names.every((name) => name === "critical" || name === join("critical", "LOCK"));
}

/** Notes that the backup has this, before it leaves the folder: what it does not have is moved aside. */
async function notePlaced(ready: string, name: string): Promise<void> {
  await writeFile(join(ready, `${name}.placed`), "", { mode: OWNER_ONLY_FILE });
}

async function wasPlaced(ready: string, name: string): Promise<boolean> {
  return (await factsOf(join(ready, `${name}.placed`))) !== null;
}

async function placeConfig(path: string, stamp: string, onStep: OnStep): Promise<string | null> {
  const before = `${path}.before-restore-${stamp}`;
  const isWaiting = (await factsOf(restoredName(path))) !== null;
  if (isWaiting && (await factsOf(path)) !== null) {
    onStep("move the configuration aside");
    await rename(path, before);
  }
  if (isWaiting) {
    onStep("place the configuration");
    await rename(restoredName(path), path);
    await syncFolder(dirname(path));
  }
  return (await factsOf(before)) === null ? null : before;
}

function restoredName(path: string): string {
  return `${resolve(path)}.restored`;
}

/** Users who can read the present configuration can read the restored one; without one the owner of the state can. */
async function stageConfig(path: string, bytes: Uint8Array, stateFolder: string): Promise<void> {
  const present = await factsOf(path);
  const file = await open(restoredName(path), "w", OWNER_ONLY_FILE);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
  if (present !== null) await chmod(restoredName(path), present.mode & 0o777);
  await giveTo(restoredName(path), present ?? (await stat(stateFolder)));
  await syncFolder(dirname(resolve(path)));
}

/** Puts files and folders on disk, and gives them to the owner of the state folder where root restores. */
async function settleTree(folder: string, owner: Stats): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) await settleTree(path, owner);
    else {
      const file = await open(path);
      try {
        await file.sync();
      } finally {
        await file.close();
      }
      await giveTo(path, owner);
    }
  }
  await giveTo(folder, owner);
  await syncFolder(folder);
}

async function giveTo(path: string, { uid, gid }: Pick<Stats, "uid" | "gid">): Promise<void> {
  if (process.getuid?.() === ROOT_USER) await chown(path, uid, gid);
}

async function hasBytes(path: string, bytes: Uint8Array): Promise<boolean> {
  if ((await factsOf(path)) === null) return false;
  return Buffer.from(bytes).equals(await readFile(path));
}

async function factsOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}
