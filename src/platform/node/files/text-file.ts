import { mkdir, open, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf, errorText } from "../../error-text.ts";

/** Files that people write by hand stay far below. */
const MAX_BYTES = 4_000_000;
/** Only the owner may read, write and enter. */
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_ONLY_FILE = 0o600;

/** A file that could not be read or written; the message is for the user that named the file. */
export class FileError extends Error {
  override readonly name = "FileError";
  /** Whether there is no such file. */
  readonly isMissing: boolean;

  constructor(message: string, isMissing: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isMissing = isMissing;
  }
}

/** Throws a `FileError` for a URL in place of a path, without repeating it: a password may stand in it. */
export function refuseUrl(path: string): void {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) throw new FileError("expected the path of a file, not a URL", false);
}

/** The text of a UTF-8 file. Rejects with a `FileError` that names the file and what is wrong with it. */
export async function readTextFile(path: string): Promise<string> {
  refuseUrl(path);
  try {
    const facts = await stat(path);
    if (!facts.isFile()) throw new FileError(`${path} is not a file`, false);
    if (facts.size > MAX_BYTES) throw new FileError(`${path} is larger than ${MAX_BYTES} bytes`, false);
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw fileError(path, error);
  }
}

/** The names in a folder, in order; none when there is no such folder. Rejects with a `FileError`. */
export async function namesIn(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).toSorted();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw fileError(path, error);
  }
}

/** Replaces a file by one that only its owner can read: whole or not at all, on disk when the promise resolves. */
export async function writePrivateFile(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.new`;
  const file = await open(temporary, "w", OWNER_ONLY_FILE);
  try {
    await file.chmod(OWNER_ONLY_FILE);
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, path);
  await syncFolder(dirname(path));
}

/** Writes a file of a folder that is not used yet, and the folders above it, for their owner only. */
export async function writeStagedFile(path: string, content: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  await writeFile(path, content, { mode: OWNER_ONLY_FILE });
}

/** Makes renames in a folder, and files made in it, last. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Makes the folder, readable by its owner only, unless it is there. Rejects with a `FileError`. */
export async function makePrivateFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: OWNER_ONLY_FOLDER });
    if (!(await stat(path)).isDirectory()) throw new FileError(`${path} is not a folder`, false);
  } catch (error) {
    throw fileError(path, error);
  }
}

/** Describes an error of the file system for the user that named the file. */
export function fileError(path: string, error: unknown): FileError {
  if (error instanceof FileError) return error;
  switch (codeOf(error)) {
    case "ENOENT":
      return new FileError(`${path} does not exist`, true, { cause: error });
    case "EACCES":
    case "EPERM":
      return new FileError(`${path} may not be used by this user`, false, { cause: error });
    case "EROFS":
      return new FileError(`${path} is on a file system that cannot be written`, false, { cause: error });
    case "EEXIST":
    case "ENOTDIR":
      return new FileError(`${path} is, or goes through, something that is no folder`, false, { cause: error });
    case "ERR_ENCODING_INVALID_ENCODED_DATA":
      return new FileError(`${path} is not UTF-8 text`, false, { cause: error });
    default:
      return new FileError(`${path} cannot be used: ${errorText(error)}`, false, { cause: error });
  }
}
