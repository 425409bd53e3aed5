import { posix } from "node:path";
import { importsOf, type Source } from "./syntax.ts";

/** The files of this repository that a file loads when it runs. */
export function loadedFiles(source: Source): readonly string[] {
  return importsOf(source).flatMap(({ specifier, isLoaded }) => {
    if (!isLoaded) return [];
    if (specifier === "hemgate/sdk") return ["src/sdk/index.ts"];
    return specifier.startsWith(".") ? [posix.join(posix.dirname(source.path), specifier)] : [];
  });
}

/** Files that load each other in a circle, as text: `a.ts → b.ts → a.ts`. A file of a circle may find another half loaded. */
export function circles(loaded: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const found: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, way: readonly string[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) found.push([...way.slice(start), path].join(" → "));
    if (start >= 0 || done.has(path)) return;
    for (const next of loaded.get(path) ?? []) visit(next, [...way, path]);
    done.add(path);
  };
  for (const path of loaded.keys()) visit(path, []);
  return found;
}
