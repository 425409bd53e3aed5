/**
 * A gateway's store at work. The first line of stdin names its folder; it answers with a line of JSON once it is open. Each
 * further line has it read all that it holds, and say it in a line of JSON: what it serves. LevelDB may end it.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { nodeDisk } from "../../../src/platform/node/files/node-disk.ts";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../../src/platform/node/node-random.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { TestLog } from "../../../src/testing/test-log.ts";
import { look } from "./home.ts";

const STDOUT = 1;
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
const disk = nodeDisk({ stateFolder: first.value ?? "" });
const clock = nodeClock(() => "synced");
const store = await openStore({ disk, clock, random: nodeRandom, log: new TestLog() });
writeSync(STDOUT, `${JSON.stringify({ tookMs: 0, epoch: store.epoch })}\n`);
while ((await lines.next()).done !== true) {
  let line: string;
  try {
    line = JSON.stringify({ tookMs: 0, ...(await look(store)) });
  } catch (error) {
    line = JSON.stringify({ failure: String(error) });
  }
  writeSync(STDOUT, `${line}\n`);
}
// As a power cut leaves it.
process.kill(process.pid, "SIGKILL");
