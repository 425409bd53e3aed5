/** Files of the state folder that are there and cannot be read: that is no damage, and nothing is done to them. */
import { access, constants, open, readdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf } from "../../error-text.ts";
import { StorageError } from "../../ports/storage-error.ts";

/** What LevelDB reads of a folder; it makes a new `LOG` and needs none. */
const READ_BY_LEVELDB = /^(?:CURRENT|MANIFEST-\d+|\d+\.(?:log|ldb|sst))$/;

/** Rejects with a `refused` `StorageError` when something in the folder of a database, or beside it, cannot be read. */
export async function requireReadable(folder: string, marker: string): Promise<void> {
  await attempt(dirname(folder), () => requireUsable(dirname(folder)));
  await attempt(marker, async () => void (await stat(marker)));
  const names = (await attempt(folder, () => readdir(folder))) ?? [];
  await attempt(folder, () => requireUsable(folder));
  // Never opened here: closing it would end the lock that this process has on it.
  await attempt(join(folder, "LOCK"), () => access(join(folder, "LOCK"), constants.R_OK | constants.W_OK));
  for (const name of names) {
    if (READ_BY_LEVELDB.test(name)) await attempt(join(folder, name), () => readFirstByte(join(folder, name)));
  }
}

/** Undefined when there is no such file. */
async function attempt<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw await unreadable(path, error);
  }
}

async function requireUsable(folder: string): Promise<void> {
  await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

async function readFirstByte(path: string): Promise<void> {
  const file = await open(path, "r");
  try {
    await file.read(new Uint8Array(1), 0, 1, 0);
  } finally {
    await file.close();
  }
}

/** A failure to use a file or folder, in words for the owner of the gateway: what, whose it is, and what to do. */
export async function unreadable(path: string, error: unknown): Promise<StorageError> {
  const code = codeOf(error) ?? "unknown error";
  const text = `${path} cannot be read (${code})${await whose(path)}: ${remedy(code, path)}; nothing was changed`;
  return new StorageError("refused", text, { cause: error });
}

async function whose(path: string): Promise<string> {
  try {
    const { uid, gid, mode } = await stat(path);
    return `, it belongs to ${uid}:${gid} with mode ${(mode & 0o7777).toString(8)}, the gateway runs as ${self()}`;
  } catch {
    return `, the gateway runs as ${self()}`;
  }
}

function remedy(code: string, path: string): string {
  switch (code) {
    case "EACCES":
    case "EPERM":
      return `give it back with: chown -R ${self()} ${quoted(dirname(path))} && chmod -R u+rwX ${quoted(dirname(path))}`;
    case "EROFS":
      return "the file system is mounted read-only; see what the kernel says of it (dmesg)";
    case "EISDIR":
    case "ENOTDIR":
    case "ELOOP":
      return "something else stands where a file or folder of the database belongs; put that back";
    case "EMFILE":
    case "ENFILE":
      return "too many files are open on this machine";
    default:
      return "the disk does not give it; copy the state folder to another one before anything else";
  }
}

function self(): string {
  return `${process.getuid?.() ?? ""}:${process.getgid?.() ?? ""}`;
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
