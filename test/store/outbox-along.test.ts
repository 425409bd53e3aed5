import { expect, test } from "vitest";
import { openStore } from "../../src/store/open-store.ts";
import type { OpenedStore } from "../../src/store/store.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const MINUTE = 60_000;
const ALL = { records: 1_000, bytes: 1_000_000 };

class House {
  readonly disk = new MemoryDisk();
  readonly clock = new VirtualClock();
  readonly #random = new SeededRandom(1);

  async open(): Promise<OpenedStore> {
    const { disk, clock } = this;
    const routes = () => [{ stream: "event", entity: null }] as const;
    const store = await this.drive(openStore({ disk, clock, random: this.#random, log: new TestLog(), routes }));
    await this.drive(store.outbox.open(() => []));
    return store;
  }

  drive<T>(promise: PromiseLike<T>): Promise<T> {
    return this.clock.resolve(Promise.resolve(promise), 10 * MINUTE);
  }

  tell(store: OpenedStore, event: string): Promise<void> {
    return this.drive(store.commit([], [{ event, payload: null }]));
  }
}

async function waiting({ outbox }: OpenedStore): Promise<readonly string[]> {
  const read = await outbox.read("event", 0, ALL);
  return (read?.records ?? []).map(({ seq, event }) => `${seq} ${event}`);
}

test("what is acknowledged along is deleted with the next commit, at no batch of its own", async () => {
  const house = new House();
  const store = await house.open();
  await house.tell(store, "one");
  const { batches } = house.disk;
  store.outbox.acknowledgeAlong("event", store.outbox.meta!.epoch, 1);
  await house.clock.advance(10 * MINUTE);
  expect(house.disk.batches).toBe(batches);
  expect(await waiting(store)).toEqual(["1 one"]);
  await house.tell(store, "two");
  expect(house.disk.batches).toBe(batches + 1);
  expect(store.outbox.meta?.streams.event).toMatchObject({ acked: 1, next: 3 });
  expect(await waiting(store)).toEqual(["2 two"]);
});

test("without a commit it goes to disk after an hour, and when the store closes", async () => {
  const house = new House();
  const store = await house.open();
  await house.tell(store, "one");
  store.outbox.acknowledgeAlong("event", store.outbox.meta!.epoch, 1);
  await house.clock.advance(61 * MINUTE);
  expect(store.outbox.meta?.streams.event).toMatchObject({ acked: 1 });
  await house.tell(store, "two");
  store.outbox.acknowledgeAlong("event", store.outbox.meta!.epoch, 2);
  await house.drive(store[Symbol.asyncDispose]());
  const again = await house.open();
  expect(again.outbox.meta?.streams.event).toMatchObject({ acked: 2, bytes: 0 });
});

test("what waits to go along is forgotten before the cloud service is asked anew", async () => {
  const house = new House();
  const store = await house.open();
  await house.tell(store, "one");
  store.outbox.acknowledgeAlong("event", store.outbox.meta!.epoch, 1);
  await house.drive(store.outbox.forgetAlong());
  await house.tell(store, "two");
  expect(await waiting(store)).toEqual(["1 one", "2 two"]);
});

test("a refused batch leaves it to the next one; one that is on disk all the same has deleted it", async () => {
  for (const [fault, left] of [
    ["lost", ["1 one", "2 two"]],
    ["kept", ["2 two"]],
  ] as const) {
    const house = new House();
    const store = await house.open();
    await house.tell(store, "one");
    await house.tell(store, "two");
    store.outbox.acknowledgeAlong("event", store.outbox.meta!.epoch, 1);
    house.disk.failWrites(fault);
    await expect(house.tell(store, "three")).rejects.toThrow();
    store.outbox.acknowledgeAlong("event", "another epoch", 2);
    await house.clock.advance(MINUTE);
    expect(await waiting(store)).toEqual(left);
    expect(store.outbox.meta?.streams.event.acked).toBe(fault === "kept" ? 1 : 0);
  }
});
