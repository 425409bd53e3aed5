import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export interface PackageFacts {
  /** The folder with the package's `config/` and `systemd/`. */
  readonly root: string;
  readonly version: string;
}

/** Where this package lies and which version it is, from the sources and from `dist` alike. */
export function packageFacts(): PackageFacts {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the package's own package.json is missing");
    folder = parent;
  }
  const content: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const version: unknown = typeof content === "object" && content !== null ? Reflect.get(content, "version") : null;
  return { root: folder, version: typeof version === "string" ? version : "unknown" };
}
