/**
 * The process that is killed: opens the real store, writes as fast as it can, and says on stdout what was acknowledged:
 * `open <epoch>`, then `<writer> <count>` for each commit. Arguments: state folder, wall clock at the start, and the
 * count that each writer begins with.
 */
import { writeSync } from "node:fs";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import { nodeClock } from "../../src/platform/node/node-clock.ts";
import { nodeRandom } from "../../src/platform/node/node-random.ts";
import type { Clock } from "../../src/platform/ports/ports.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { Store } from "../../src/store/store.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { commitOf, DEVICES, sampleOf, WRITERS } from "./load.ts";

/** Time runs this much faster, so that the minute's batch is written a few times in the life of a child. */
const SPEED = 600;
const SAMPLE_MS = 5_000;
const STDOUT = 1;

function fastClock(startMs: number): Clock {
  const real = nodeClock(() => "synced");
  const origin = real.monotonicMs();
  const monotonicMs = (): number => Math.floor((real.monotonicMs() - origin) * SPEED);
  return {
    monotonicMs,
    nowMs: () => startMs + monotonicMs(),
    quality: () => "synced",
    sleep: (delayMs, signal) => real.sleep(delayMs / SPEED, signal),
    timer: (delayMs, callback) => real.timer(delayMs / SPEED, callback),
  };
}

/** Waits while the parent does not read: what `process.stdout` queues then would die with the process. */
function say(line: string): void {
  writeSync(STDOUT, `${line}\n`);
}

async function write(store: Store, writer: number, first: number): Promise<void> {
  for (let count = first; ; count++) {
    const { writes, journal } = commitOf(writer, count);
    await store.commit(writes, journal);
    say(`${writer} ${count}`);
  }
}

async function measure(store: Store, clock: Clock): Promise<void> {
  for (;;) {
    const atMs = clock.nowMs();
    for (const deviceId of DEVICES) store.record(sampleOf(deviceId, atMs));
    await clock.sleep(SAMPLE_MS, new AbortController().signal);
  }
}

const [stateFolder = "", startMs = "0", ...counts] = process.argv.slice(2);
const clock = fastClock(Number(startMs));
const store = await openStore({ disk: nodeDisk({ stateFolder }), clock, random: nodeRandom, log: new TestLog() });
say(`open ${store.epoch}`);
const writers = Array.from({ length: WRITERS }, (_, writer) => write(store, writer, Number(counts[writer] ?? 0)));
await Promise.all([...writers, measure(store, clock)]);
