/** What can be seen of the machine from outside of the gateway. */
import { lookup } from "node:dns/promises";
import { readFile, stat, statfs } from "node:fs/promises";
import { connect } from "node:net";

/** Returns the free and the whole space of the disk that a folder is on, bytes; `null` if there is no such folder. */
export async function diskSpace(folder: string): Promise<{ readonly free: number; readonly size: number } | null> {
  const found = await statfs(folder).catch(() => null);
  return found === null ? null : { free: found.bavail * found.bsize, size: found.blocks * found.bsize };
}

/** Resolves a host's name; returns the address, or `null` if nothing answers for it. */
export async function addressOf(host: string): Promise<string | null> {
  return await lookup(host).then(
    ({ address }) => address,
    () => null,
  );
}

/** Connects to a TCP port; returns why it fails, `null` if it answers. */
export async function whyNoConnection(host: string, port: number, timeoutMs: number): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const socket = connect({ host, port, timeout: timeoutMs });
  socket.on("connect", () => resolve(null));
  socket.on("timeout", () => resolve("no answer"));
  socket.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/** `missing`: there is no such file. `user`: the name or number of the one that has no access. */
export type FileAccess = "ok" | "missing" | { readonly user: string; readonly group: string };

/** Tells whether the owner of a folder may read and write a file such as a serial port. */
export async function accessOf(path: string, folder: string): Promise<FileAccess> {
  const file = await stat(path).catch(() => null);
  if (file === null) return "missing";
  const owner = await stat(folder).catch(() => null);
  if (owner === null || owner.uid === 0) return "ok";
  const users = await table("/etc/passwd");
  const groups = await table("/etc/group");
  const user = users.find(([, , id]) => Number(id) === owner.uid);
  const group = groups.find(([, , id]) => Number(id) === file.gid);
  const isMember = Number(user?.[3]) === file.gid || (group?.[3] ?? "").split(",").includes(user?.[0] ?? "");
  const shift = file.uid === owner.uid ? 6 : isMember ? 3 : 0;
  if (((file.mode >> shift) & 0o6) === 0o6) return "ok";
  return { user: user?.[0] ?? String(owner.uid), group: group?.[0] ?? String(file.gid) };
}

async function table(path: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").map((line) => line.split(":"));
}
