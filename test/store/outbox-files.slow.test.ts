/** What the outbox leaves in the files of a real LevelDB. */
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { nodeDisk } from "../../src/platform/node/files/node-disk.ts";
import { Critical } from "../../src/store/critical.ts";
import { MIGRATIONS } from "../../src/store/migrations.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { drive } from "./makers.ts";
import { settlingDisk } from "./settling-disk.ts";

const MB = 1_000_000;
/** Of an event, of which nothing can be compressed. */
const EVENT_BYTES = 50_000;
const ROUNDS = 24;
const EVENTS_OF_ROUND = 20;
/** Four files of 1 MiB are merged into the next level, and as much may be there while they are; the rest is the journal. */
const MOST_BYTES = 14 * MB;

test("2.2, rule 10: what is acknowledged leaves the files by itself (Azure IoT Edge kept it), and is not in the way of a read", async () => {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-outbox-"));
  const { disk, settled } = settlingDisk(nodeDisk({ stateFolder: folder }));
  const random = new SeededRandom(1);
  const clock = new VirtualClock();
  const critical = new Critical({
    disk,
    clock,
    log: new TestLog(),
    migrations: MIGRATIONS,
    random,
    secretKeys: [],
    onRecovered: () => undefined,
    routes: () => [{ stream: "event", entity: null }],
  });
  const go = <T>(promise: PromiseLike<T>): Promise<T> => drive(clock, promise, settled);
  try {
    await go(critical.start(async () => 0, new AbortController().signal));
    await go(critical.outbox.open(() => []));
    const { epoch } = critical.outbox.meta!;
    for (let round = 1; round <= ROUNDS; round += 1) {
      const events = Array.from({ length: EVENTS_OF_ROUND }, () => {
        return { event: "a", payload: Buffer.from(random.secretBytes(EVENT_BYTES)).toString("base64") };
      });
      await go(critical.commit([], events));
      await go(critical.outbox.acknowledge("event", epoch, round * EVENTS_OF_ROUND));
      await go(critical.pruneJournal({ count: EVENTS_OF_ROUND, bytes: MB }));
    }
    // LevelDB removes files meanwhile.
    const sizes = readdirSync(join(folder, "critical")).map(
      (file) => statSync(join(folder, "critical", file), { throwIfNoEntry: false })?.size ?? 0,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MOST_BYTES);
    const read = await go(critical.outbox.read("event", ROUNDS * EVENTS_OF_ROUND, { records: 10, bytes: MB }));
    expect(read?.records).toEqual([]);
  } finally {
    await go(critical[Symbol.asyncDispose]());
    rmSync(folder, { recursive: true, force: true });
  }
});
