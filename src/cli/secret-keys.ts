/** Where the keys are that seal the secrets in the state folder: never in that folder, a copy of which is a backup. */
import { isAbsolute, join, relative, resolve } from "node:path";
import {
  isKeyFileThere,
  isSecretKey,
  keepFirstKey,
  readKeyFile,
  readOrMakeKeyFile,
} from "../platform/node/files/secret-key-file.ts";
import { FileError } from "../platform/node/files/text-file.ts";
import type { Log } from "../platform/ports/ports.ts";
import type { Store } from "../store/store.ts";
import type { CliContext } from "./context.ts";
import { CliError, EXIT } from "./exit-code.ts";

/** As the service's unit names it in `LoadCredential`. */
const CREDENTIAL = "hemgate-key";
/** The service's memory, which systemd shows in both places, and the source of its credential. */
const SERVICE_FOLDERS: readonly string[] = ["/var/lib/hemgate", "/var/lib/private/hemgate"];
const SERVICE_KEY = "/etc/hemgate/hemgate.key";
/** The unit hands over a file without a key where its source is missing: systemd alone would only say `243/CREDENTIALS`. */
const NO_CREDENTIAL =
  "systemd found no key at the source that the unit names, /etc/hemgate/hemgate.key as it is installed. Before the first start make it with `hemgate secrets rotate --key-file /etc/hemgate/hemgate.key`; if it was lost, put its copy back, for a new one does not open what it sealed";
/** Where a file is named, by a person or by the unit, a new one is never made silently. */
const NO_FILE =
  "Name the file with --key-file, or put its copy back; `hemgate secrets rotate --key-file FILE` makes a new key, which does not open what another one sealed";

export interface KeySource {
  readonly path: string;
  /**
   * `named`: by `--key-file`, `HEMGATE_KEY_FILE`, or the service's unit. `credential`: given by systemd, and not to be
   * written. `default`: beside the state folder, and made by the first start.
   */
  readonly kind: "named" | "credential" | "default";
}

type Surroundings = Pick<CliContext, "environment" | "workingFolder">;

/**
 * The file with the keys: `--key-file`, else systemd's credential `hemgate-key`, else `HEMGATE_KEY_FILE`, else the one that
 * the service gets, for its state folder, and for others the folder's name with `.key`. Throws a `CliError` for a file in the
 * state folder.
 */
export function keySource(option: string | undefined, folder: string, surroundings: Surroundings): KeySource {
  const { environment, workingFolder } = surroundings;
  const credentials = environment["CREDENTIALS_DIRECTORY"];
  const credential = credentials === undefined ? null : join(credentials, CREDENTIAL);
  if (option === undefined && credential !== null && isKeyFileThere(credential)) {
    return { path: credential, kind: "credential" };
  }
  const named = option ?? environment["HEMGATE_KEY_FILE"];
  if (named === undefined || named === "") {
    // What is sealed with another key than the service's is locked for it.
    if (SERVICE_FOLDERS.includes(resolve(folder))) return { path: SERVICE_KEY, kind: "named" };
    return { path: `${resolve(folder)}.key`, kind: "default" };
  }
  if (isSecretKey(named)) {
    const name = option === undefined ? "HEMGATE_KEY_FILE" : "--key-file";
    throw new CliError(EXIT.config, `${name} is a key itself; write the key into a file and name that file`);
  }
  const path = resolve(workingFolder, named);
  const inside = relative(resolve(folder), path);
  if (!inside.startsWith("..") && !isAbsolute(inside)) {
    throw new CliError(EXIT.config, `the key file ${path} is in the state folder, a copy of which would open itself`);
  }
  return { path, kind: "named" };
}

/** The keys of a gateway that starts; its first start makes the default file. Rejects with a `FileError`. */
export async function startKeys({ path, kind }: KeySource): Promise<readonly Uint8Array[]> {
  return kind === "default" ? await readOrMakeKeyFile(path) : await readKeys({ path, kind });
}

/** The keys as far as they are there: none when the default file was not made yet, or is the service's only. */
export async function presentKeys({ path, kind }: KeySource): Promise<readonly Uint8Array[]> {
  try {
    return await readKeys({ path, kind });
  } catch (error) {
    if (kind === "default" && error instanceof FileError && error.isMissing) return [];
    throw error;
  }
}

/** Adds to an error what to do. */
async function readKeys({ path, kind }: KeySource): Promise<readonly Uint8Array[]> {
  try {
    return await readKeyFile(path);
  } catch (cause) {
    if (!(cause instanceof FileError)) throw cause;
    const isUnnamed = kind === "named" && cause.isMissing;
    if (kind !== "credential" && !isUnnamed) throw cause;
    throw new FileError(`${cause.message}. ${isUnnamed ? NO_FILE : NO_CREDENTIAL}`, cause.isMissing, { cause });
  }
}

/**
 * Ends a rotation: once the store is open all that opens is sealed with the first key, and the others leave the file. They
 * stay while a record is there that none of them opens, and in a file that cannot be written.
 */
export async function endRotation(
  { path, kind }: KeySource,
  {
    keys,
    store,
    log,
  }: { readonly keys: readonly Uint8Array[]; readonly store: Pick<Store, "locked">; readonly log: Log },
): Promise<void> {
  if (keys.length < 2) return;
  if (store.locked.length > 0) return log.warn({ path }, "older secret keys kept: some records do not open");
  if (kind === "credential") return log.info({ path }, "older secret keys are no longer needed in the credential");
  try {
    if (await keepFirstKey(path, keys)) log.info({ path }, "older secret keys are out of the key file");
  } catch (err) {
    log.warn({ err, path }, "older secret keys are still in the key file, and no longer needed");
  }
}
