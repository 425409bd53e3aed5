/** Modules of third parties, from a folder of their own. */
import { createRequire, registerHooks } from "node:module";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFacts } from "./package-root.ts";

const OWN_NAME = "hemgate";
/** Longer is no module, but a program that does something else, ms. */
const IMPORT_LIMIT_MS = 10_000;

/**
 * Imports a package that lies in `<folder>/node_modules`, or a file or folder that begins with `./`. What it imports from
 * `hemgate/…` is this program's own, whichever copy lies beside it: an error class of another copy would be nobody's.
 * Rejects with an error that says what could not be had.
 */
export async function importForeign(folder: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  shareOwnModules(folder);
  const from = createRequire(join(folder, "adapters.js"));
  // A package may be for `import` only, which `require.resolve` does not find.
  const url = name.startsWith("./")
    ? pathToFileURL(from.resolve(name)).href
    : import.meta.resolve(name, pathToFileURL(join(folder, "adapters.js")).href);
  const loaded: unknown = await inTime(import(url));
  return typeof loaded === "object" && loaded !== null ? Object.fromEntries(Object.entries(loaded)) : {};
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = AbortSignal.timeout(IMPORT_LIMIT_MS);
  limit.addEventListener("abort", () => reject(new Error(`nothing after ${IMPORT_LIMIT_MS / 1_000} s`)), {
    once: true,
  });
  return await Promise.race([work, promise]);
}

const shared = new Set<string>();

function shareOwnModules(folder: string): void {
  if (shared.has(folder)) return;
  shared.add(folder);
  const inside = pathToFileURL(`${folder}${sep}`).href;
  const parentURL = pathToFileURL(join(packageFacts().root, "package.json")).href;
  registerHooks({
    resolve: (specifier, context, next) => {
      const isOurs = specifier === OWN_NAME || specifier.startsWith(`${OWN_NAME}/`);
      const isFromThere = context.parentURL?.startsWith(inside) === true;
      return isOurs && isFromThere ? next(specifier, { ...context, parentURL }) : next(specifier, context);
    },
  });
}
