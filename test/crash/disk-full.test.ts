import { execFileSync } from "node:child_process";
import { mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { contentOf } from "./load.ts";

const FILL_POINTS = 12;
const DISK_MB = 16;
/** After space is back, the store takes writes again within this. */
const RECOVERY_MS = 5_000;
const clock = nodeClock(() => "synced");
const isRoot = process.getuid?.() === 0;

/** A file system of its own, since a test must not fill the machine's. */
async function withSmallDisk(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "hemgate-full-"));
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder]);
  try {
    await work(folder);
  } finally {
    execFileSync("umount", [folder]);
    await rm(folder, { recursive: true });
  }
}

async function fill(folder: string, leaveBytes: number): Promise<string> {
  const { bavail, bsize } = await statfs(folder);
  const filler = join(folder, "filler");
  await writeFile(filler, Buffer.alloc(Math.max(0, bavail * bsize - leaveBytes)));
  return filler;
}

function open(folder: string): Promise<Store> {
  const disk = nodeDisk({ stateFolder: join(folder, "state") });
  return openStore({ disk, clock, random: nodeRandom, log: new TestLog() });
}

function put(store: Store, count: number): Promise<void> {
  const id = `c${count}`;
  const record = { id, name: contentOf(1, count), createdAtMs: count, secretHash: "", salt: "", apiVersion: "" };
  return store.commit([{ table: "client", key: id, put: record }], [{ event: "written", payload: id }]);
}

describe.skipIf(!isRoot)("a full disk", () => {
  test(`at ${FILL_POINTS} random points: no acknowledged write lost, none that was rejected kept, and it heals`, async () => {
    const random = new SeededRandom(1);
    for (let point = 0; point < FILL_POINTS; point++) {
      await withSmallDisk(async (folder) => {
        const store = await open(folder);
        const acknowledged = new Set<string>();
        const filler = await fill(folder, random.between(0, 200_000));
        let count = 0;
        let rejected = 0;
        while (rejected < 3 && count < 2_000) {
          const group = Array.from({ length: 8 }, () => count++);
          for (const [index, result] of (await Promise.allSettled(group.map((each) => put(store, each)))).entries()) {
            if (result.status === "fulfilled") acknowledged.add(`c${group[index]}`);
            else rejected += 1;
          }
        }
        expect(rejected).toBeGreaterThanOrEqual(3);
        expect(new Set(store.all("client").map((client) => client.id))).toStrictEqual(acknowledged);
        await rm(filler);
        const freedMs = clock.monotonicMs();
        while (!store.isWritable) await clock.sleep(20, new AbortController().signal);
        await put(store, count);
        acknowledged.add(`c${count}`);
        expect(clock.monotonicMs() - freedMs).toBeLessThan(RECOVERY_MS);
        await store[Symbol.asyncDispose]();
        await using after = await open(folder);
        expect(new Set(after.all("client").map((client) => client.id))).toStrictEqual(acknowledged);
        const journaled = await after.journalAfter(null, 1_000);
        expect(new Set(journaled.map((entry) => entry.payload))).toStrictEqual(acknowledged);
        expect(after.recovered).toStrictEqual([]);
      });
    }
  });

  test("a start on a full disk is refused and harms nothing", async () => {
    await withSmallDisk(async (folder) => {
      const first = await open(folder);
      await put(first, 1);
      await first[Symbol.asyncDispose]();
      const filler = await fill(folder, 0);
      await expect(open(folder)).rejects.toMatchObject({ name: "StorageError", kind: "refused" });
      await rm(filler);
      await using second = await open(folder);
      expect(second.all("client")).toHaveLength(1);
      expect(second.recovered).toStrictEqual([]);
    });
  });
});
