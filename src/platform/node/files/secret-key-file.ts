/** The file with the keys that secrets in the store are sealed with: one a line, the first seals. */
import { existsSync } from "node:fs";
import { link, rm } from "node:fs/promises";
import { codeOf } from "../../error-text.ts";
import { nodeRandom } from "../node-random.ts";
import { FileError, fileError, readTextFile, writePrivateFile } from "./text-file.ts";

const KEY_BYTES = 32;
/** More than one is there between a rotation and the next start only. */
const MAX_KEYS = 16;
const HEADER = `# Seals the secrets in the state folder of hemgate, which are lost without it. Keep a copy, apart from copies of
# that folder. The first key seals, the others open what is not sealed with the first yet.
`;

/** Whether there is such a file, whatever is in it. */
export function isKeyFileThere(path: string): boolean {
  return existsSync(path);
}

/** The keys of a file: 32 bytes in base64 or hex a line, lines with # left out. Rejects with a `FileError`. */
export async function readKeyFile(path: string): Promise<readonly Uint8Array[]> {
  const lines = (await readTextFile(path)).split("\n").map((line) => line.trim());
  const keys = lines.flatMap((line, index) => {
    if (line === "" || line.startsWith("#")) return [];
    const key = keyOf(line);
    // The error does not quote the line: it may be most of a key.
    if (key === null) throw new FileError(`${path}:${index + 1}: no key; expected 32 bytes in base64 or hex`, false);
    return [key];
  });
  if (keys.length === 0) throw new FileError(`${path} has no key in it`, false);
  if (keys.length > MAX_KEYS) throw new FileError(`${path} has more than ${MAX_KEYS} keys in it`, false);
  return keys;
}

/** The same, of a file that is made with a new key when it is missing, readable by its owner only. */
export async function readOrMakeKeyFile(path: string): Promise<readonly Uint8Array[]> {
  try {
    return await readKeyFile(path);
  } catch (error) {
    if (!(error instanceof FileError && error.isMissing)) throw error;
  }
  await makeKeyFile(path);
  return await readKeyFile(path);
}

/** Puts a new key before those of the file, which is made when it is missing. Answers with all of them. */
export async function addKey(path: string): Promise<readonly Uint8Array[]> {
  const older = await readKeyFile(path).catch((error: unknown) => {
    if (error instanceof FileError && error.isMissing) return [];
    throw error;
  });
  const keys = [newKey(), ...older].slice(0, MAX_KEYS);
  await writeKeys(path, keys);
  return keys;
}

/** Leaves only the first of the keys in the file. False: it has others than these by now, and stays as it is. */
export async function keepFirstKey(path: string, keys: readonly Uint8Array[]): Promise<boolean> {
  const found = await readKeyFile(path);
  if (textOf(found) !== textOf(keys)) return false;
  await writeKeys(path, keys.slice(0, 1));
  return true;
}

/** Two gateways that begin at the same time must not each have a key: the file appears whole, for the first of them. */
async function makeKeyFile(path: string): Promise<void> {
  const draft = `${path}.${nodeRandom.uuid()}`;
  await writeKeys(draft, [newKey()]);
  try {
    await link(draft, path);
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw fileError(path, error);
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeKeys(path: string, keys: readonly Uint8Array[]): Promise<void> {
  try {
    await writePrivateFile(path, `${HEADER}${textOf(keys)}`);
  } catch (error) {
    throw fileError(path, error);
  }
}

function textOf(keys: readonly Uint8Array[]): string {
  return keys.map((key) => `${Buffer.from(key).toString("base64")}\n`).join("");
}

function newKey(): Uint8Array {
  return nodeRandom.secretBytes(KEY_BYTES);
}

/** Returns true for a key itself, which somebody gave in place of the file with it. */
export function isSecretKey(text: string): boolean {
  return keyOf(text) !== null;
}

function keyOf(line: string): Uint8Array | null {
  if (/^[0-9a-fA-F]{64}$/.test(line)) return Buffer.from(line, "hex");
  const key = /^[A-Za-z0-9+/_-]{43}=?$/.test(line) ? Buffer.from(line, "base64") : null;
  return key?.length === KEY_BYTES ? key : null;
}
