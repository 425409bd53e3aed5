import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { packageFacts } from "./package-root.ts";

/**
 * Makes stacks name the sources that a bundle in `folder` (a file URL) was made from. A map is read when a stack names
 * its file, and is gone with the next garbage collection: Node's own `--enable-source-maps` reads all maps at the start
 * and held 57 MB.
 */
export function mapStacks(folder: string): void {
  const maps = new Map<string, WeakRef<SourceMap>>();
  Error.prepareStackTrace = (error, sites) => {
    const lines = sites.map((site) => {
      const file = site.getFileName();
      if (file?.startsWith(folder) !== true) return `${site}`;
      const map = maps.get(file)?.deref() ?? readMap(file);
      if (map === null) return `${site}`;
      maps.set(file, new WeakRef(map));
      return mapped(map, file, site);
    });
    return [headline(error), ...lines.map((line) => `    at ${line}`)].join("\n");
  };
}

/** The first line, as V8 makes it; an error's own `toString` may throw. */
function headline(error: Error): string {
  try {
    return `${error}`;
  } catch {
    return "Error";
  }
}

function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${file}.map`), "utf8")));
  } catch {
    // Without its map a stack names the bundle.
    return null;
  }
}

function mapped(map: SourceMap, file: string, site: NodeJS.CallSite): string {
  const [line, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1];
  const origin = map.findOrigin(line, column);
  if (!("fileName" in origin)) return `${site}`;
  const source = fileURLToPath(new URL(origin.fileName, file));
  const place = `${relative(packageFacts().root, source)}:${origin.lineNumber}:${origin.columnNumber}`;
  return `${site}`.replace(`${file}:${line}:${column}`, place);
}
