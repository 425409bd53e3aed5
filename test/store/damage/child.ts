/** Opens each state folder that stdin names, a line each, and says what it found there, a line of JSON each. */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { nodeDisk } from "../../../src/platform/node/files/node-disk.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../../src/platform/node/node-random.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { look } from "./home.ts";

const STDOUT = 1;
const clock = nodeClock(() => "synced");

for await (const stateFolder of createInterface({ input: process.stdin })) {
  let line: string;
  const startMs = clock.monotonicMs();
  try {
    await using store = await openStore({
      disk: nodeDisk({ stateFolder }),
      clock,
      random: nodeRandom,
      log: new TestLog(),
    });
    const tookMs = clock.monotonicMs() - startMs;
    line = JSON.stringify({ tookMs, ...(await look(store)) });
  } catch (error) {
    line = JSON.stringify({
      failure: error instanceof Error ? `${error.message} ${String(error.cause)}` : String(error),
    });
  }
  writeSync(STDOUT, `${line}\n`);
}
