/** Where secrets are looked for: the files, what a database reads from them, and the memory of a process. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import type { Hemgate } from "./hemgate-process.ts";

export function filesBelow(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Buffer.concat(files.map((file) => readFileSync(join(file.parentPath, file.name))));
}

/** LevelDB's tables are compressed, and a part of a secret may stand for another: each value as it is read. */
export async function valuesIn(folder: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const name of ["critical", "telemetry"] as const) {
    const database = await nodeDisk({ stateFolder: folder }).open(name);
    const encoding = { keyEncoding: "utf8", valueEncoding: "view" } as const;
    for await (const [key, value] of database.iterator<string, Uint8Array>(encoding)) {
      parts.push(Buffer.from(key), Buffer.from(value));
    }
    await database.close();
  }
  return Buffer.concat(parts);
}

/** A snapshot of the running gateway's heap; V8 collects garbage before it. */
export async function heapOf(gateway: Hemgate, folder: string): Promise<Buffer> {
  gateway.send("SIGUSR2");
  for (;;) {
    const [name] = readdirSync(folder).filter((file) => file.endsWith(".heapsnapshot"));
    const bytes = name === undefined ? Buffer.alloc(0) : readFileSync(join(folder, name));
    // It is written from the front; whole, it ends with its list of strings.
    if (bytes.subarray(-8).toString().trim().endsWith("]}")) return bytes;
    await pause(200);
  }
}
