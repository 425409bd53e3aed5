import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PageFiles } from "../../ports/page-files-port.ts";
import { packageFacts } from "../package-root.ts";

/** Names of files that `scripts/build-page.mjs` makes: without folders, so that no other folder is reached. */
const NAME = /^[A-Za-z0-9][\w-]*(?:\.[A-Za-z0-9]+){1,3}$/u;

/** The page beside the program: `dist/page` of this package. */
export const nodePageFiles: PageFiles = {
  async read(name) {
    if (!NAME.test(name)) return null;
    try {
      return await readFile(join(packageFacts().root, "dist", "page", name));
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
      throw error;
    }
  },
};
