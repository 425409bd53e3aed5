/**
 * The folder of updates, apart from the program and the state, so that nothing an update replaces is needed to finish it:
 *
 *     current/     the update that goes on; renaming it from prepared.PID to this decides, renaming it to last ends
 *       update.json   the record
 *       new.deb, previous.deb
 *       program/      the previous version's program, which does the steps
 *       resume        starts it, for the unit hemgate-update.service
 *       state/        the state of the stopped gateway
 *     last/        the update before: its record, and what takes it back
 *     gateway-off  while it is there the unit of the gateway does not start
 */
import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../error-text.ts";
import { isThere } from "../files/is-there.ts";
import { linkTree } from "../files/link-tree.ts";
import { freeBytesIn } from "../files/node-backup-files.ts";
import { lockState } from "../files/node-disk.ts";
import { finishRestore, STATE_NAMES, stagingFolder, swapIn } from "../files/restore-swap.ts";
import { FileError, makePrivateFolder, readTextFile, syncFolder, writePrivateFile } from "../files/text-file.ts";
import { syncFileSystem } from "./programs.ts";

const RECORD = "update.json";
const EXECUTABLE = 0o755;

export interface UpdateFolderPlaces {
  readonly folder: string;
  /** The state of the gateway. */
  readonly state: string;
  /** The installed program. */
  readonly program: string;
}

export class UpdateFolder {
  readonly #places: UpdateFolderPlaces;

  constructor(places: UpdateFolderPlaces) {
    this.#places = places;
  }

  /** Path of a name in the folder of the update that goes on. */
  current(name: string): string {
    return join(this.#places.folder, "current", name);
  }

  /** The record of the update that goes on, or of the last one; `null` if there is none. */
  async read(which: "current" | "last"): Promise<string | null> {
    // Not asked first whether it is there: the update that goes on becomes the last one at any moment.
    return await readTextFile(join(this.#places.folder, which, RECORD)).catch((error: unknown) => {
      if (error instanceof FileError && error.isMissing) return null;
      throw error;
    });
  }

  async write(record: string): Promise<void> {
    await writePrivateFile(this.current(RECORD), record);
  }

  /** An empty folder in which an update is put together. What preparations that ended have left is removed. */
  async makePrepared(): Promise<string> {
    const { folder } = this.#places;
    await makePrivateFolder(folder);
    for (const name of await readdir(folder)) {
      const pid = /^prepared\.(\d+)$/u.exec(name)?.[1];
      if (pid !== undefined && !isRunning(Number(pid))) await rm(join(folder, name), { recursive: true });
    }
    const prepared = join(folder, `prepared.${process.pid}`);
    await rm(prepared, { recursive: true, force: true });
    await mkdir(prepared);
    return prepared;
  }

  /** Removes what was put together, unless it has become the update that goes on. */
  async dropPrepared(prepared: string): Promise<void> {
    await rm(prepared, { recursive: true, force: true });
  }

  /** Copies a package file into the folder of a prepared update. */
  async placePackage(path: string, prepared: string): Promise<void> {
    await copyFile(path, join(prepared, "new.deb"));
  }

  /** Keeps the installed program beside the update: the installation replaces files, and does not write into them. */
  async keepProgram(folder: string): Promise<void> {
    const target = join(folder, "program");
    await rm(target, { recursive: true, force: true });
    await linkTree(this.#places.program, target, () => true);
    const run = this.current("program");
    const script = `#!/bin/sh\nexec ${run}/bin/node ${run}/dist/src/cli/hemgate.js update resume\n`;
    await writeFile(join(folder, "resume"), script);
    await chmod(join(folder, "resume"), EXECUTABLE);
  }

  /** Makes what was prepared the update that goes on. Rejects if there is one already. */
  async begin(prepared: string, record: string): Promise<void> {
    await writeFile(join(prepared, RECORD), record);
    await syncFileSystem(this.#places.folder);
    try {
      await rename(prepared, join(this.#places.folder, "current"));
    } catch (error) {
      if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST")
        throw new Error("another update goes on", { cause: error });
      throw error;
    }
    await syncFolder(this.#places.folder);
  }

  /** Makes the last update the one that goes on again, so that it can be taken back. Its record says that it ended. */
  async reopenLast(): Promise<void> {
    const last = join(this.#places.folder, "last");
    await this.keepProgram(last);
    await syncFileSystem(this.#places.folder);
    await rename(last, join(this.#places.folder, "current"));
    await syncFolder(this.#places.folder);
  }

  /** Ends the update: what takes it back stays if `isKept`, and its record in any case. */
  async end(isKept: boolean): Promise<void> {
    const { folder } = this.#places;
    const last = join(folder, "last");
    await rm(last, { recursive: true, force: true });
    await rename(join(folder, "current"), last);
    await syncFolder(folder);
    const needed = isKept ? [RECORD, "previous.deb", "state"] : [RECORD];
    for (const name of await readdir(last)) {
      if (!needed.includes(name)) await rm(join(last, name), { recursive: true });
    }
  }

  /** Returns true if the last update can be taken back. */
  async canReopenLast(): Promise<boolean> {
    const last = join(this.#places.folder, "last");
    return (await isThere(join(last, "previous.deb"))) && (await isThere(join(last, "state")));
  }

  /** Keeps the gateway's unit from starting, over a restart of the machine. */
  async forbidGateway(): Promise<void> {
    await writePrivateFile(this.#gatewayOff, "");
  }

  async allowGateway(): Promise<void> {
    await rm(this.#gatewayOff, { force: true });
    await syncFolder(this.#places.folder);
  }

  /** Copies the state of the gateway, which is stopped. Rejects with a `StorageError("locked")` if one runs. */
  async copyState(): Promise<void> {
    const { state } = this.#places;
    const part = this.current("state.part");
    const target = this.current("state");
    await rm(part, { recursive: true, force: true });
    await finishRestore(state);
    await using _lock = await lockState(state);
    await mkdir(part);
    await linkState(state, part);
    await syncFileSystem(this.#places.folder);
    await rm(target, { recursive: true, force: true });
    await rename(part, target);
    await syncFolder(this.current("."));
  }

  /** Puts the copy in the place of the state. What it replaces is kept in `before-restore-…` in the state folder. */
  async restoreState(at: Date): Promise<void> {
    const { state } = this.#places;
    // A power cut came after that was decided.
    if (await finishRestore(state)) return;
    await using _lock = await lockState(state);
    await linkState(this.current("state"), await stagingFolder(state));
    await swapIn({ stateFolder: state, config: null, at });
  }

  /** Rejects if there is no space for an update to a version of this size, in bytes. */
  async requireRoom(installedBytes: number): Promise<void> {
    const { folder, program } = this.#places;
    // Both versions, their packages, and what the new one adds to the history meanwhile.
    const needed = 3 * installedBytes;
    await makePrivateFolder(folder);
    for (const place of [folder, program]) {
      const free = await freeBytesIn(place);
      if (free >= needed) continue;
      const megabytes = (bytes: number): number => Math.ceil(bytes / 1_000_000);
      throw new Error(
        `there is no space for an update: ${place} has ${megabytes(free)} MB free, ${megabytes(needed)} MB are needed`,
      );
    }
  }

  get #gatewayOff(): string {
    return join(this.#places.folder, "gateway-off");
  }
}

/** LevelDB's tables are never written again: a hard link keeps them. Its logs are. */
async function linkState(from: string, to: string): Promise<void> {
  for (const name of STATE_NAMES) {
    const path = join(from, name);
    if (await isThere(path)) await linkTree(path, join(to, name), (file) => file.endsWith(".ldb"));
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}
