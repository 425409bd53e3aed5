import { chmod, copyFile, link, lstat, mkdir, readdir, readlink, symlink } from "node:fs/promises";
import { join } from "node:path";
import { codeOf } from "../../error-text.ts";

const MODE_BITS = 0o7777;

/**
 * Repeats a file or a folder with all below it. Files that `isNeverWritten` says are only ever replaced become hard links where
 * the file system allows: they cost no space, and stay as they are. Others are copied. Sockets and the like are left out.
 */
export async function linkTree(from: string, to: string, isNeverWritten: (path: string) => boolean): Promise<void> {
  const facts = await lstat(from);
  if (facts.isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) await linkTree(join(from, name), join(to, name), isNeverWritten);
    await chmod(to, facts.mode & MODE_BITS);
  } else if (facts.isSymbolicLink()) await symlink(await readlink(from), to);
  else if (facts.isFile()) await (isNeverWritten(from) ? linkOrCopy(from, to) : copyWithMode(from, to, facts.mode));
}

/** Repeats one file. */
export async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // Another file system, or one without hard links.
    if (!["EXDEV", "EPERM", "EMLINK", "ENOTSUP"].includes(codeOf(error) ?? "")) throw error;
    await copyWithMode(from, to, (await lstat(from)).mode);
  }
}

async function copyWithMode(from: string, to: string, mode: number): Promise<void> {
  await copyFile(from, to);
  await chmod(to, mode & MODE_BITS);
}
