import { errorText, placeOfBug } from "../../error-text.ts";

/** An error of the loading itself: its message says what is wrong and what to do. */
export class ForeignModuleError extends Error {}

const OTHER_KIND =
  "it is not a JavaScript module that Node can import; build it, and name the built file or its package";
const MANIFEST = "its package.json does not say which file to import; correct exports or main there";
const MAX_QUOTED_CHARACTERS = 160;

const CODES: Readonly<Record<string, string>> = {
  ERR_DLOPEN_FAILED:
    "a native library of it does not load; install it again, for this machine and this version of Node",
  ERR_INVALID_PACKAGE_CONFIG: MANIFEST,
  ERR_INVALID_PACKAGE_TARGET: MANIFEST,
  ERR_PACKAGE_PATH_NOT_EXPORTED: MANIFEST,
  ERR_IMPORT_ATTRIBUTE_MISSING: OTHER_KIND,
  ERR_INVALID_URL_SCHEME: "the name is neither that of a package nor a path; a path begins with ./",
  ERR_INVALID_MODULE_SPECIFIER: "the name is neither that of a package nor a path; a path begins with ./",
  ERR_UNKNOWN_FILE_EXTENSION: OTHER_KIND,
  ERR_UNSUPPORTED_DIR_IMPORT: OTHER_KIND,
  ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING: OTHER_KIND,
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX: OTHER_KIND,
};

/** Returns why a third party's module does not load and what to do, without Node's own message. */
export function foreignFault(cause: unknown): string {
  if (cause instanceof ForeignModuleError) return cause.message;
  if (!(cause instanceof Error)) return "its code threw something that is not an Error; report it to its author";
  const code = "code" in cause && typeof cause.code === "string" ? cause.code : null;
  if (code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND") return missingImport(cause.message);
  if (code !== null) return CODES[code] ?? `${errorText(cause)}; install it again`;
  if (cause instanceof SyntaxError) return badSyntax(cause.message);
  const place = placeOfBug(cause)?.replace(/^at /, "") ?? "an unknown place";
  if (cause.name !== "Error")
    return `its code failed while it was loaded (${cause.name}, ${place}); report it to its author`;
  return `its code ended with "${oneLine(cause.message)}" (${place}); ask its author if that does not help`;
}

function missingImport(message: string): string {
  const [, name] = /^Cannot find (?:module|package) '([^']+)'/.exec(message) ?? [];
  return `it imports ${name === undefined ? "a module" : `"${name}"`}, which is missing; install the module with its dependencies`;
}

function badSyntax(message: string): string {
  const [, from, name] =
    /requested module '([^']{1,500})' does not provide an export named '([^']{1,500})'/.exec(message) ?? [];
  return from === undefined
    ? "it is not valid JavaScript; build it, and check it with node --check"
    : `it imports "${name}" from ${from}, which has no such export; install versions that fit each other`;
}

function oneLine(message: string): string {
  const line = message.replaceAll(/[\p{C}\s"]+/gu, " ").trim();
  return line.length > MAX_QUOTED_CHARACTERS ? `${line.slice(0, MAX_QUOTED_CHARACTERS)}…` : line;
}
