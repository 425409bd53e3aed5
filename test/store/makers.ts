/** Small makers and a way to let virtual time pass while a real database works. */
import { setImmediate as turn } from "node:timers/promises";
import type { Disk } from "../../src/platform/ports/ports.ts";
import type { Migration } from "../../src/store/migrations.ts";
import { openStore } from "../../src/store/open-store.ts";
import type { ActionRecord, ClientRecord, JournalEntry, TokenRecord, Write } from "../../src/store/records.ts";
import type { OpenedStore, Store, TelemetrySample } from "../../src/store/store.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { type SettlingDisk, settlingDisk } from "./settling-disk.ts";

const STEP_MS = 10;
const MAX_STEPS = 200_000;

/**
 * Lets virtual time pass in small steps until the promise settles. None passes while a real disk is at work: on a busy
 * machine the limits of the store would run out in the middle of it.
 */
export async function drive<T>(
  clock: VirtualClock,
  promise: PromiseLike<T>,
  settled: SettlingDisk["settled"] = async () => undefined,
): Promise<T> {
  let isSettled = false;
  const mark = (): void => {
    isSettled = true;
  };
  promise.then(mark, mark);
  for (let step = 0; !isSettled; step++) {
    if (step > MAX_STEPS) throw new Error("nothing came of it");
    await turn();
    await settled();
    if (!isSettled) await clock.advance(STEP_MS);
  }
  return await promise;
}

export interface Bench {
  readonly clock: VirtualClock;
  readonly log: TestLog;
  readonly disk: Disk;
  open(migrations?: readonly Migration[]): Promise<OpenedStore>;
  drive<T>(promise: PromiseLike<T>): Promise<T>;
  commit(store: Store, writes: readonly Write[], events?: readonly string[]): Promise<void>;
}

export function makeBench<Kind extends Disk>(disk: Kind): Bench & { readonly disk: Kind } {
  const clock = new VirtualClock();
  const log = new TestLog();
  const random = new SeededRandom(1);
  const { disk: own, settled } =
    disk instanceof MemoryDisk ? { disk, settled: async () => undefined } : settlingDisk(disk);
  return {
    clock,
    log,
    disk,
    open: (migrations) => {
      const options = { disk: own, clock, random, log, ...(migrations === undefined ? {} : { migrations }) };
      return drive(clock, openStore(options), settled);
    },
    drive: (promise) => drive(clock, promise, settled),
    commit: (store, writes, events = []) =>
      drive(
        clock,
        store.commit(
          writes,
          events.map((event) => ({ event, payload: { event } })),
        ),
        settled,
      ),
  };
}

export function makeMemoryBench(): Bench & { readonly disk: MemoryDisk } {
  return makeBench(new MemoryDisk());
}

export function makeClient(id: string): ClientRecord {
  return { id, name: `client ${id}`, createdAtMs: 1, secretHash: "aGFzaA", salt: "c2FsdA", apiVersion: "2024-10-01" };
}

export function putClient(id: string, record = makeClient(id)): Write {
  return { table: "client", key: id, put: record };
}

export function makeToken(hash: string, expiresAtMs: number): TokenRecord {
  return { hash, clientId: "c1", expiresAtMs };
}

export function makeAction(id: string, completedAtMs: number | null): ActionRecord {
  const at = new Date(completedAtMs ?? 0).toISOString();
  return {
    deviceId: "charger",
    createdAtMs: completedAtMs ?? 0,
    action: {
      id,
      userId: "home",
      createdAt: at,
      updatedAt: at,
      completedAt: completedAtMs === null ? null : at,
      state: completedAtMs === null ? "PENDING" : "CONFIRMED",
      targetId: "t1",
      failureReason: null,
      targetType: "charger",
      kind: "START",
    },
  };
}

export function makeSample(deviceId: string, atMs: number, power: number | null = 100): TelemetrySample {
  return { deviceId, atMs, values: [{ point: "meter.power", value: power }] };
}

/** Journal entries in short: `epoch/seq event`. */
export function shortEntries(entries: readonly JournalEntry[]): readonly string[] {
  return entries.map(({ epoch, seq, event }) => `${epoch}/${seq} ${event}`);
}
