import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { describeStore } from "./contract.ts";

describeStore("memory", (work) => work(new MemoryDisk()));

describeStore("LevelDB", async (work) => {
  const folder = await mkdtemp(join(tmpdir(), "hemgate-store-"));
  try {
    await work(nodeDisk({ stateFolder: join(folder, "state") }));
  } finally {
    await rm(folder, { recursive: true });
  }
});
