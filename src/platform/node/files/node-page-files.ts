import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { PageFiles } from "../../ports/page-files-port.ts";
import { packageFacts } from "../package-root.ts";

/** Names of files that `scripts/build-page.mjs` makes: without folders, so that no other folder is reached. */
const NAME = /^[A-Za-z0-9][\w-]*(?:\.[A-Za-z0-9]+){1,3}$/u;

/** The files in a folder. Of those that are there compressed only, what is not compressed is made at each call. */
export function pageFilesIn(folder: string): PageFiles {
  const read = async (name: string): Promise<Uint8Array | null> => {
    try {
      return await readFile(join(folder, name));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  };
  return {
    async read(name) {
      if (!NAME.test(name)) return null;
      const found = await read(name);
      if (found !== null || name.endsWith(".gz")) return found;
      const packed = await read(`${name}.gz`);
      return packed === null ? null : await promisify(gunzip)(packed);
    },
  };
}

/** The page beside the program: `dist/page` of this package. */
export const nodePageFiles: PageFiles = {
  read: (name) => pageFilesIn(join(packageFacts().root, "dist", "page")).read(name),
};

/** `dist/descriptions` of this package. `undefined` where the sources run: what was built is of other sources. */
export function builtDescriptions(): PageFiles | undefined {
  return import.meta.url.endsWith(".js") ? pageFilesIn(join(packageFacts().root, "dist", "descriptions")) : undefined;
}
