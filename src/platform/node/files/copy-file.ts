/** The file of the second copy: in a folder apart from the databases, so that what breaks one leaves the other. */
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../error-text.ts";
import type { CopyFile } from "../../ports/disk-port.ts";
import { storageErrorOf } from "../../ports/storage-error.ts";
import { syncFolder, writePrivateFile } from "./text-file.ts";
import { unreadable } from "./unreadable.ts";

const FOLDER = "copy";
const NAME = "critical.jsonl";
const OWNER_ONLY = 0o700;

export function copyFile(stateFolder: string): CopyFile {
  const folder = join(stateFolder, FOLDER);
  const path = join(folder, NAME);
  return {
    async read() {
      try {
        return await readFile(path);
      } catch (error) {
        if (codeOf(error) === "ENOENT") return null;
        throw await unreadable(path, error);
      }
    },
    async write(bytes) {
      try {
        const made = await mkdir(folder, { recursive: true, mode: OWNER_ONLY });
        if (made !== undefined) await syncFolder(stateFolder);
        await writePrivateFile(path, bytes);
      } catch (error) {
        // A full disk gets back what the attempt took.
        await rm(`${path}.new`, { force: true }).catch(() => undefined);
        throw storageErrorOf(error, `${path} cannot be written`);
      }
    },
    async moveAside() {
      const target = `${path}.damaged-${stamp(new Date(Date.now()))}`;
      try {
        await rename(path, target);
        await syncFolder(folder);
        return target;
      } catch (error) {
        throw storageErrorOf(error, `${path} cannot be moved`);
      }
    },
  };
}

/** `20260621T142501Z`. */
function stamp(at: Date): string {
  return at.toISOString().replace(/[-:]|\.\d+/g, "");
}
