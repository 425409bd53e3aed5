import { describe, expect, test } from "vitest";
import { OUTBOX_KEY, outboxKey } from "../../src/store/keys.ts";
import { openStore } from "../../src/store/open-store.ts";
import { GAP_EVENT } from "../../src/store/outbox/outbox.ts";
import type { Route } from "../../src/store/outbox/outbox-row.ts";
import type { NewJournalEntry, OpenedStore } from "../../src/store/store.ts";
import { MemoryDisk } from "../../src/testing/memory-disk.ts";
import { SeededRandom } from "../../src/testing/seeded-random.ts";
import { TestLog } from "../../src/testing/test-log.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { countedExpect } from "../counted-expect.ts";
import { putClient } from "./makers.ts";

const ALL = { records: 1_000, bytes: 1_000_000 };

/** `state:<entity>` is a state, all else that is not `quiet` an event. */
function routes({ event }: NewJournalEntry): readonly Route[] {
  const [kind = "", entity = ""] = event.split(":");
  if (kind === "quiet") return [];
  return kind === "state" ? [{ stream: "state", entity }] : [{ stream: "event", entity: null }];
}

class House {
  readonly disk: MemoryDisk;
  readonly clock = new VirtualClock();
  readonly #random: SeededRandom;

  constructor(seed = 1, disk = new MemoryDisk()) {
    this.#random = new SeededRandom(seed);
    this.disk = disk;
  }

  async open(): Promise<OpenedStore> {
    return await this.drive(
      openStore({ disk: this.disk, clock: this.clock, random: this.#random, log: new TestLog(), routes }),
    );
  }

  drive<T>(promise: PromiseLike<T>): Promise<T> {
    return this.clock.resolve(Promise.resolve(promise), 600_000);
  }

  async tell(store: OpenedStore, ...events: readonly string[]): Promise<void> {
    await this.drive(
      store.commit(
        [],
        events.map((event) => ({ event, payload: { of: event } })),
      ),
    );
  }

  async told(store: OpenedStore, stream: "event" | "state", after = 0): Promise<readonly string[]> {
    const read = await store.outbox.read(stream, after, ALL);
    return (read?.records ?? []).map(({ seq, event }) => `${seq} ${event}`);
  }
}

async function opened(...entries: readonly string[]): Promise<{ house: House; store: OpenedStore }> {
  const house = new House();
  const store = await house.open();
  await house.drive(store.outbox.open(() => entries.map((event) => ({ event, payload: null }))));
  return { house, store };
}

describe("what is gathered for a cloud service", () => {
  test("nothing, until somebody asks for it", async () => {
    const house = new House();
    await using store = await house.open();
    await house.tell(store, "one");
    expect(store.outbox.meta).toBeNull();
    expect(await store.outbox.read("event", 0, ALL)).toBeNull();
    expect([...house.disk.contents("critical").keys()].filter((key) => key.startsWith("outbox"))).toEqual([]);
  });

  test("what is there at first, then events in order and the newest state of each entity", async () => {
    const { house, store } = await opened("state:meter");
    await house.tell(store, "one", "state:meter", "quiet", "state:car");
    await house.tell(store, "two", "state:meter");
    expect(await house.told(store, "event")).toEqual(["1 one", "2 two"]);
    expect(await house.told(store, "state")).toEqual(["3 state:car", "4 state:meter"]);
    expect(await house.told(store, "event", 1)).toEqual(["2 two"]);
    expect(await store.outbox.read("event", 0, ALL)).toMatchObject({
      through: 2,
      lost: [],
      records: [{ payload: { of: "one" }, quality: "synced" }, {}],
    });
  });

  test("in one batch with its change, also when several changes share it", async () => {
    const { house, store } = await opened();
    const before = house.disk.batches;
    const [first, second] = [putClient("c1"), putClient("c2")];
    await house.drive(
      Promise.all([
        store.commit([first], [{ event: "one", payload: null }]),
        store.commit([second], [{ event: "two", payload: null }]),
      ]),
    );
    expect(house.disk.batches).toBe(before + 1);
    expect(await house.told(store, "event")).toEqual(["1 one", "2 two"]);
  });

  test("page by page, one record however large it is", async () => {
    const { house, store } = await opened();
    await house.tell(store, "one", "two", "three");
    expect(await store.outbox.read("event", 0, { records: 2, bytes: 1_000_000 })).toMatchObject({ through: 2 });
    const page = await store.outbox.read("event", 1, { records: 9, bytes: 1 });
    expect(page).toMatchObject({ through: 2, records: [{ event: "two" }] });
  });

  test("until it is acknowledged: bytes and rows go, numbers go on", async () => {
    const { house, store } = await opened();
    await house.tell(store, "one", "two", "state:meter", "state:car");
    const { epoch } = store.outbox.meta!;
    await house.drive(store.outbox.acknowledge("event", epoch, 1));
    await house.drive(store.outbox.acknowledge("state", epoch, 2));
    expect(await house.told(store, "event")).toEqual(["2 two"]);
    expect(store.outbox.meta!.streams.state).toEqual({ next: 3, acked: 2, bytes: 0 });
    await house.drive(store.outbox.acknowledge("event", epoch, 2));
    await house.drive(store.outbox.acknowledge("event", epoch, 99));
    await house.drive(store.outbox.acknowledge("event", "another epoch", 2));
    expect(store.outbox.meta!.streams.event).toEqual({ next: 3, acked: 2, bytes: 0 });
    await house.tell(store, "three", "state:meter");
    expect(await house.told(store, "event")).toEqual(["3 three"]);
    expect(await house.told(store, "state")).toEqual(["3 state:meter"]);
  });

  test("over restarts, each of which is known by its number and id", async () => {
    const { house, store } = await opened("one", "state:meter");
    const [boot] = store.outbox.meta!.boots;
    await house.drive(store[Symbol.asyncDispose]());
    house.disk.crash();
    const again = await house.open();
    const { boots } = again.outbox.meta!;
    expect(boots.map(({ number }) => number)).toEqual([1, 2]);
    expect(boots[0]).toEqual(boot);
    await house.tell(again, "two", "state:meter");
    expect(await house.told(again, "event")).toEqual(["1 one", "2 two"]);
    expect(await house.told(again, "state")).toEqual(["2 state:meter"]);
    await house.drive(again.outbox.welcomed(2));
    expect(again.outbox.meta!.boots).toEqual([boots[1]]);
  });

  test("no more once it is closed, and a new epoch if it is opened again", async () => {
    const { house, store } = await opened("one", "state:meter");
    const { epoch } = store.outbox.meta!;
    await house.drive(store.outbox.close());
    await house.tell(store, "two");
    expect([...house.disk.contents("critical").keys()].filter((key) => key.startsWith("outbox"))).toEqual([]);
    await house.drive(store.outbox.open(() => []));
    expect(store.outbox.meta!.epoch).not.toBe(epoch);
    expect(await house.told(store, "event")).toEqual([]);
  });
});

describe("times in the outbox", () => {
  test("of a clock that was not set are corrected once it is, also after a restart", async () => {
    const { house, store } = await opened();
    house.clock.setQuality("unset");
    house.clock.setWallMs(0);
    await house.tell(store, "one");
    await house.clock.advance(60_000);
    const syncedMs = 1_800_000_000_000;
    house.clock.setWallMs(syncedMs);
    house.clock.setQuality("synced");
    await house.tell(store, "two");
    await house.drive(store[Symbol.asyncDispose]());
    const again = await house.open();
    const { records } = (await again.outbox.read("event", 0, ALL))!;
    expect(records.map(({ quality }) => quality)).toEqual(["redated", "synced"]);
    expect(records[1]!.atMs - records[0]!.atMs).toBeGreaterThanOrEqual(60_000);
    expect(records[0]!.atMs).toBeGreaterThan(syncedMs - 61_000);
  });
});

describe("damage of the outbox", () => {
  test("a row that is damaged is named, and what follows is there", async () => {
    const { house, store } = await opened("one", "two", "three");
    const key = outboxKey({ stream: "event", epoch: store.outbox.meta!.epoch, seq: 2 });
    await house.drive(store[Symbol.asyncDispose]());
    house.disk.contents("critical").set(key, Uint8Array.of(1, 2, 3));
    const again = await house.open();
    expect(await again.outbox.read("event", 0, ALL)).toMatchObject({ through: 3, lost: [2], records: [{}, {}] });
  });

  test("damaged rows that fill a page do not keep back what follows them", async () => {
    const { house, store } = await opened("one", "two", "three", "four");
    const { epoch } = store.outbox.meta!;
    await house.drive(store[Symbol.asyncDispose]());
    for (const seq of [1, 2, 3]) {
      house.disk.contents("critical").set(outboxKey({ stream: "event", epoch, seq }), new Uint8Array(100));
    }
    const again = await house.open();
    const page = { records: 1_000, bytes: 250 };
    const first = await again.outbox.read("event", 0, page);
    expect(first).toMatchObject({ through: 2, lost: [1, 2], records: [] });
    expect(await again.outbox.read("event", 2, page)).toMatchObject({ lost: [3], records: [{ event: "four" }] });
  });

  test("bookkeeping that is damaged begins an epoch, in which rows say where they were", async () => {
    const { house, store } = await opened("one", "two", "state:meter");
    const { epoch } = store.outbox.meta!;
    await house.drive(store.outbox.acknowledge("event", epoch, 1));
    await house.drive(store[Symbol.asyncDispose]());
    house.disk.contents("critical").set(OUTBOX_KEY, Uint8Array.of(1, 2, 3));
    const again = await house.open();
    expect(again.outbox.meta!.epoch).not.toBe(epoch);
    const { records } = (await again.outbox.read("event", 0, ALL))!;
    expect(records).toMatchObject([{ seq: 1, event: "two", was: [{ epoch, seq: 2 }] }]);
    expect(await house.told(again, "state")).toEqual(["1 state:meter"]);
    expect(again.outbox.meta!.boots.map(({ number }) => number)).toEqual([2]);
  });

  test("a database that is lost while the gateway runs begins an epoch that says which numbers are gone", async () => {
    const { house, store } = await opened("one", "two", "state:meter");
    const { epoch } = store.outbox.meta!;
    await house.drive(store.outbox.acknowledge("event", epoch, 1));
    house.disk.failWrites("lost");
    house.disk.damage("critical");
    await expect(house.tell(store, "three")).rejects.toThrow();
    await house.drive(house.clock.sleep(60_000, new AbortController().signal));
    const { records } = (await store.outbox.read("event", 0, ALL))!;
    const gaps = [
      { epoch, stream: "event", from: 2, through: 2 },
      { epoch, stream: "state", from: 1, through: 1 },
    ];
    expect(records).toMatchObject([{ event: GAP_EVENT, payload: { gaps } }, { event: "system:store:recovered" }]);
    expect(store.outbox.meta!.epoch).not.toBe(epoch);
  });
});

describe("a new epoch", () => {
  const keepAll = { isDelivered: () => false, mayHaveArrived: () => true, acked: 0, entries: () => [] };

  test("goes on with what is not delivered, after what is told first", async () => {
    const { house, store } = await opened("one", "two", "state:meter");
    const { epoch } = store.outbox.meta!;
    await house.drive(
      store.outbox.startNewEpoch({
        isDelivered: ({ seq, stream }) => stream === "event" && seq === 1,
        mayHaveArrived: ({ stream }) => stream === "event",
        acked: 1,
        entries: () => [{ event: "restored", payload: {} }],
      }),
    );
    expect(store.outbox.meta!.epoch).not.toBe(epoch);
    expect((await store.outbox.read("event", 0, ALL))!.records).toMatchObject([
      { seq: 1, event: "restored" },
      { seq: 2, event: "two", was: [{ epoch, seq: 2 }] },
    ]);
    expect((await store.outbox.read("state", 0, ALL))!.records).toEqual([
      expect.not.objectContaining({ was: expect.anything() }),
    ]);
  });

  test("does not bring back what the disk kept and refused", async () => {
    const { house, store } = await opened("one");
    house.disk.failWrites("kept");
    await expect(house.tell(store, "two")).rejects.toThrow();
    await house.clock.advance(30_000);
    await house.drive(store.outbox.startNewEpoch(keepAll));
    expect(await house.told(store, "event")).toEqual(["1 one"]);
  });

  test("that the disk kept and refused goes on as it is on disk", async () => {
    const { house, store } = await opened("one", "state:meter");
    const { epoch } = store.outbox.meta!;
    house.disk.failWrites("kept");
    await expect(house.drive(store.outbox.startNewEpoch(keepAll))).rejects.toThrow();
    await house.clock.advance(30_000);
    expect(store.outbox.meta!.epoch).not.toBe(epoch);
    await house.tell(store, "two", "state:meter");
    expect(await house.told(store, "event")).toEqual(["1 one", "2 two"]);
    expect(await house.told(store, "state")).toEqual(["2 state:meter"]);
  });

  test("takes what is committed while it begins", async () => {
    const { house, store } = await opened("one");
    await house.drive(
      Promise.all([
        store.commit([], [{ event: "two", payload: null }]),
        store.outbox.startNewEpoch(keepAll),
        store.commit([], [{ event: "three", payload: null }]),
      ]),
    );
    expect(await house.told(store, "event")).toEqual(["1 one", "2 two", "3 three"]);
  });
});

describe("by chance", () => {
  test("faults of the disk and power cuts lose nothing that was acknowledged, and nothing comes twice", async () => {
    for (let seed = 1; seed <= 25; seed += 1) await liveOnce(seed);
    expectPage.wasCalled();
  });
});

const expectPage = countedExpect("a read of the outbox");

/** A receiver that takes everything once, in order, whatever happens to the gateway. */
async function liveOnce(seed: number): Promise<void> {
  const house = new House(seed);
  const chance = new SeededRandom(seed + 1_000);
  const committed: string[] = [];
  const received: string[] = [];
  let applied = 0;
  let store = await house.open();
  await house.drive(store.outbox.open(() => []));
  for (let step = 1; step <= 40; step += 1) {
    const draw = chance.next();
    if (draw < 0.5) {
      if (chance.isChance(0.2)) house.disk.failWrites(chance.isChance(0.5) ? "lost" : "kept");
      const event = `e${step}`;
      const isTaken = await house.tell(store, event, `state:m${step % 3}`).then(
        () => true,
        () => false,
      );
      if (isTaken) committed.push(event);
      else await house.clock.advance(30_000);
    } else if (draw < 0.8) {
      const page = await store.outbox.read("event", applied, { records: 3, bytes: 1_000 });
      expectPage(page?.lost).toEqual([]);
      received.push(...(page?.records ?? []).map(({ event }) => event));
      applied = page?.through ?? applied;
      if (chance.isChance(0.7)) {
        await house.drive(store.outbox.acknowledge("event", store.outbox.meta!.epoch, applied)).catch(() => undefined);
      }
    } else if (draw < 0.9) {
      house.disk.crash();
      store = await house.open();
    }
  }
  await house.clock.advance(30_000);
  const rest = await store.outbox.read("event", applied, ALL);
  received.push(...(rest?.records ?? []).map(({ event }) => event));
  expect(received.filter((event) => event.startsWith("e"))).toEqual(committed);
  const states = (await store.outbox.read("state", 0, ALL))!.records.map(({ entity }) => entity);
  expect(new Set(states).size).toBe(states.length);
}
