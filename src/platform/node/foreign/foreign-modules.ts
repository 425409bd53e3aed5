/** Loads modules of third parties from a separate folder. */
import { createRequire, findPackageJSON, registerHooks } from "node:module";
import { join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { codeOf } from "../../error-text.ts";
import { packageFacts } from "../package-root.ts";
import { ForeignModuleError } from "./foreign-fault.ts";

const OWN_NAME = "hemgate";
/** `hemgate-adapter:/folder#package`: an import from another place than this file's. */
const THERE = "hemgate-adapter:";
/** Longer is no module, but a program that does something else, ms. */
const IMPORT_LIMIT_MS = 10_000;

/**
 * Imports a package that lies in `<folder>/node_modules`, or a file or folder that begins with `./`. What it imports from
 * `hemgate/…` is this program's own, whichever copy lies beside it: an error class of another copy would be nobody's.
 * Rejects when it does not load; `foreignFault` says why.
 */
export async function importForeign(folder: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  resolveThere(folder);
  const url = name.startsWith("./") ? pathToFileURL(fileOf(folder, name)).href : `${THERE}${folder}#${name}`;
  const loaded: unknown = await inTime(import(url));
  return typeof loaded === "object" && loaded !== null ? Object.fromEntries(Object.entries(loaded)) : {};
}

function fileOf(folder: string, name: string): string {
  try {
    return createRequire(join(folder, "adapters.js")).resolve(name);
  } catch (cause) {
    throw new ForeignModuleError(`there is no module at ${join(folder, name)}; put it there, or correct the path`, {
      cause,
    });
  }
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const limit = AbortSignal.timeout(IMPORT_LIMIT_MS);
  limit.addEventListener(
    "abort",
    () =>
      reject(
        new ForeignModuleError(
          `it did not finish loading within ${IMPORT_LIMIT_MS / 1_000} s; report it to its author`,
        ),
      ),
    {
      once: true,
    },
  );
  return await Promise.race([work, promise]);
}

function foundIn<Found>(folder: string, find: () => Found): Found {
  try {
    return find();
  } catch (cause) {
    if (codeOf(cause) !== "ERR_MODULE_NOT_FOUND") throw cause;
    const place = join(folder, "node_modules");
    throw new ForeignModuleError(`there is no such package in ${place}; install it there, or correct the name`, {
      cause,
    });
  }
}

/** Folders whose imports are resolved here already. */
const known = new Set<string>();

/**
 * Resolves what is imported of the folder's packages as a module that lies in it would: a package may be for `import` only,
 * which `require.resolve` does not find, and `import.meta.resolve` knows no other place than its own.
 */
function resolveThere(folder: string): void {
  if (known.has(folder)) return;
  known.add(folder);
  const there = `${THERE}${folder}#`;
  const from = pathToFileURL(join(folder, "adapters.js")).href;
  const own = pathToFileURL(join(packageFacts().root, "package.json")).href;
  // A package that npm linked lies elsewhere.
  const insides = new Set([pathToFileURL(`${folder}${sep}`).href]);
  registerHooks({
    resolve: (specifier, context, next) => {
      if (specifier.startsWith(there)) {
        const found = foundIn(folder, () => next(specifier.slice(there.length), { ...context, parentURL: from }));
        const manifest = findPackageJSON(found.url);
        if (manifest !== undefined) insides.add(pathToFileURL(join(manifest, "..", sep)).href);
        return found;
      }
      const isOurs = specifier === OWN_NAME || specifier.startsWith(`${OWN_NAME}/`);
      const isFromThere = insides.values().some((inside) => context.parentURL?.startsWith(inside) === true);
      return isOurs && isFromThere ? next(specifier, { ...context, parentURL: own }) : next(specifier, context);
    },
  });
}
