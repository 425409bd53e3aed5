import { describe, expect, test } from "vitest";
import type { DatabaseName } from "../../src/platform/ports/ports.ts";
import { MemoryDisk, type WriteFault } from "../../src/testing/memory-disk.ts";
import { makeBench, makeClient, makeSample, putClient } from "./makers.ts";

/** What the script's caller knows at its end. */
interface Known {
  readonly acknowledged: Set<string>;
  readonly rejected: Set<string>;
  readonly epochs: number[];
  /** Starts whose last moment found the store not writable. */
  stuck: number;
}

const COMMITS = 4;
const STARTS = 3;
type Fault = "open" | WriteFault;

/** The disk whose `index`-th open fails, counted from 0. */
class RefusingDisk extends MemoryDisk {
  readonly #index: number;

  constructor(index: number) {
    super();
    this.#index = index;
  }

  override open(name: DatabaseName): ReturnType<MemoryDisk["open"]> {
    if (this.opens === this.#index) this.failOpens(1);
    return super.open(name);
  }
}

function diskWithFault(fault: Fault, index: number): MemoryDisk {
  if (fault === "open") return new RefusingDisk(index);
  const disk = new MemoryDisk();
  disk.failWrites(...Array.from({ length: index }, () => null), fault);
  return disk;
}

/** Starts, commits and telemetry, each start ended by a power cut or a close. */
async function runScript(disk: MemoryDisk): Promise<Known> {
  const bench = makeBench(disk);
  const known: Known = { acknowledged: new Set(), rejected: new Set(), epochs: [], stuck: 0 };
  for (let start = 0; start < STARTS; start++) {
    const store = await bench.open();
    known.epochs.push(store.epoch);
    for (let index = 0; index < COMMITS; index++) {
      const id = `${start}-${index}`;
      store.record(makeSample("meter", bench.clock.nowMs()));
      const outcome = await bench.commit(store, [putClient(id)], [id]).then(
        () => known.acknowledged,
        () => known.rejected,
      );
      outcome.add(id);
      await bench.clock.advance(40_000);
    }
    if (!store.isWritable) known.stuck += 1;
    if (start % 2 === 0) disk.crash();
    else await bench.drive(store[Symbol.asyncDispose]());
  }
  return known;
}

async function check(disk: MemoryDisk, known: Known): Promise<void> {
  await using store = await makeBench(disk).open();
  const ids = store.all("client").map((client) => client.id);
  const events = (await store.journalAfter(null, 1_000)).map((entry) => entry.event);
  expect(new Set(ids)).toStrictEqual(known.acknowledged);
  expect(events).toStrictEqual([...known.acknowledged]);
  for (const id of ids) expect(store.get("client", id)).toStrictEqual(makeClient(id));
  expect(store.recovered).toStrictEqual([]);
  expect(known.stuck).toBe(0);
  expect(known.epochs).toStrictEqual([1, 2, 3]);
  expect(store.epoch).toBe(4);
}

/** How many requests the script makes when all goes well: each of them is to fail once. */
async function countRequests(fault: Fault): Promise<number> {
  const disk = new MemoryDisk();
  await runScript(disk);
  return fault === "open" ? disk.opens : disk.batches;
}

describe("the k-th request to the disk fails, for every k", () => {
  test.each(["open", "lost", "kept"] as const)(
    "%s: no acknowledged write lost, no rejected one back",
    async (fault) => {
      const requests = await countRequests(fault);
      expect(requests).toBeGreaterThanOrEqual(2 * STARTS);
      for (let index = 0; index < requests; index++) {
        const disk = diskWithFault(fault, index);
        const known = await runScript(disk);
        expect(known.acknowledged.size + known.rejected.size).toBe(COMMITS * STARTS);
        expect(known.rejected.size).toBeLessThanOrEqual(1);
        await check(disk, known);
      }
    },
  );
});
