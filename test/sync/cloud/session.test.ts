import { describe, expect, test } from "vitest";
import { outboxKey } from "../../../src/store/keys.ts";
import { Box, GATEWAY, SyncWorld } from "./sync-world.ts";

const MINUTE = 60_000;

async function started(seed = 1) {
  const world = new SyncWorld(seed);
  const box = new Box(world);
  await box.start();
  return { world, box };
}

describe("a cloud service", () => {
  test("is told everything once, in order, and the newest state of each entity", async () => {
    const { world, box } = await started();
    for (let turn = 0; turn < 5; turn += 1) await box.tell("a", 3);
    await box.tell("b");
    await world.settle(box);
    expect(world.effects).toEqual(world.told.map(({ n }) => n));
    expect([...world.memory.states].map(([entity, { payload }]) => [entity, payload])).toEqual([
      ["meter/a", { meter: { id: "a" }, n: 15 }],
      ["meter/b", { meter: { id: "b" }, n: 16 }],
    ]);
    expect(await box.run.cloud.progress()).toMatchObject({
      isConnected: true,
      reason: null,
      oldestAtMs: null,
      remainingMs: 0,
    });
  });

  test("gets what it did not commit again, and what it committed without a word once", async () => {
    const { world, box } = await started();
    await world.clock.advance(MINUTE);
    for (const fault of ["before-commit", "after-commit"] as const) {
      world.twin.failNext(fault);
      await box.tell("a", 2);
      await world.settle(box);
    }
    expect(world.effects).toEqual([1, 2, 3, 4]);
    expect((await box.run.cloud.progress()).replays).toBeGreaterThan(0);
  });
});

describe("2.2, rule 2: a restored card is not mistaken for one that repeats itself", () => {
  test("a card from before goes on in another epoch, and loses nothing of its own", async () => {
    const { world, box } = await started();
    await box.tell("a", 5);
    await world.settle(box);
    const card = box.image();
    await box.tell("a", 5);
    await world.settle(box);
    const { epoch } = box.run.store.outbox.meta!;
    box.kill();
    box.disk = card;
    world.net.cut(true);
    await box.start();
    await box.tell("a", 5);
    world.net.cut(false);
    await world.settle(box);
    expect(box.run.store.outbox.meta!.epoch).not.toBe(epoch);
    expect(world.effects).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
    expect(world.memory.states.get("meter/a")?.payload).toMatchObject({ n: 15 });
  });

  test("two boxes with one card both arrive, and say that they are two", async () => {
    const { world, box } = await started();
    await box.tell("a", 3);
    await world.settle(box);
    const other = box.clone();
    await other.start();
    for (let turn = 0; turn < 4; turn += 1) {
      await box.tell("a");
      await other.tell("b");
      await world.clock.advance(10 * MINUTE);
    }
    await box.stop();
    await world.settle(other);
    await other.stop();
    await box.start();
    await world.settle(box);
    expect(world.effects.toSorted((one, two) => one - two)).toEqual(world.told.map(({ n }) => n));
    const alarms = world.memory.effects.filter(({ event }) => event === "system:cloud:cloned");
    expect(alarms.length).toBeGreaterThan(0);
  });
});

describe("2.2, rule 11: damage is named, and nothing of it is taken for an empty place", () => {
  /** A box with events 1 to 3 and a state, one row of which the disk damages while it is off. */
  async function damaged(stream: "event" | "state", seq: number) {
    const { world, box } = await started();
    await world.clock.advance(MINUTE);
    world.net.cut(true);
    await box.tell("a", 3);
    const { epoch } = box.run.store.outbox.meta!;
    await box.stop();
    box.disk.contents("critical").set(outboxKey({ stream, epoch, seq }), Uint8Array.of(1, 2, 3));
    await box.start();
    world.net.cut(false);
    await world.settle(box);
    return world;
  }

  test("a row that the disk lost (google/leveldb#251) comes as a gap, the others as they are", async () => {
    const world = await damaged("event", 2);
    expect(world.effects).toEqual([1, 3]);
    expect(world.memory.gaps).toMatchObject([{ gap: { from: 2, through: 2, reason: "damaged" } }]);
  });

  test("a state that the disk lost is told as it is by then, and not only when it changes", async () => {
    const world = await damaged("state", 1);
    expect(world.memory.states.get("meter/a")?.payload).toMatchObject({ n: 3 });
    expect(world.memory.gaps).toEqual([]);
  });
});

test("2.2, rule 2: what a copy of a card told before its original has one effect, whichever comes first", async () => {
  const { world, box } = await started();
  world.net.cut(true);
  const forget = world.twin.backup();
  await box.tell("a", 3);
  const other = box.clone();
  await other.start();
  const entries = () => [];
  await world.resolve(
    other.run.store.outbox.startNewEpoch({ isDelivered: () => false, mayHaveArrived: () => true, acked: 0, entries }),
  );
  await box.stop();
  forget();
  world.net.cut(false);
  await world.settle(other);
  await other.stop();
  await box.start();
  await box.tell("a");
  await world.settle(box);
  expect(world.effects).toEqual([1, 2, 3, 4]);
});

describe("2.2, rule 3: only the cloud service's own acknowledgement counts", () => {
  test("a broker that takes everything and forgets it loses nothing", async () => {
    const { world, box } = await started();
    world.net.faults.forgotten = 1;
    await box.tell("a", 4);
    await world.clock.advance(10 * MINUTE);
    expect(world.effects).toEqual([]);
    world.net.faults.forgotten = 0;
    await world.settle(box);
    expect(world.effects).toEqual([1, 2, 3, 4]);
  });

  test("a cloud service that lost what it acknowledged is told which numbers nobody has", async () => {
    const { world, box } = await started();
    await box.tell("a", 2);
    await world.settle(box);
    const restore = world.twin.backup();
    await box.tell("a", 3);
    await world.settle(box);
    restore();
    world.net.cut(true);
    world.net.cut(false);
    await box.tell("a", 1);
    await world.clock.advance(10 * MINUTE);
    await world.settle(box);
    expect(world.effects).toEqual([1, 2, 6]);
    expect(world.memory.gaps).toMatchObject([{ gap: { from: 3, through: 5 } }]);
    expect(world.memory.states.get("meter/a")?.payload).toMatchObject({ n: 6 });
  });
});

describe("2.2, rule 2: a cloud service that was brought back to before an epoch", () => {
  /** One that has another epoch since a backup was taken, all of it acknowledged. */
  async function renewed() {
    const { world, box } = await started();
    await box.tell("a", 2);
    await world.settle(box);
    const restore = world.twin.backup();
    await box.tell("a", 3);
    await world.settle(box);
    const { epoch } = box.run.store.outbox.meta!;
    const entries = () => [];
    await world.resolve(
      box.run.store.outbox.startNewEpoch({ isDelivered: () => true, mayHaveArrived: () => true, acked: 5, entries }),
    );
    await box.tell("a", 1);
    await world.settle(box);
    restore();
    return { world, box, epoch };
  }

  test("is told what it lost of the epochs before, once", async () => {
    const { world, box, epoch } = await renewed();
    for (let turn = 0; turn < 3; turn += 1) {
      world.net.cut(true);
      world.net.cut(false);
      await world.clock.advance(10 * MINUTE);
    }
    await world.settle(box);
    const ofBefore = world.memory.gaps.filter(({ place }) => place === `event/${epoch}`);
    expect(ofBefore).toMatchObject([{ gap: { from: 3, through: 5 } }]);
    expect(box.run.store.outbox.meta!.earlier).toContainEqual({ epoch, acked: 2, through: 5 });
  });

  test("is told once more when it lost that, too", async () => {
    const { world, box, epoch } = await renewed();
    const restore = world.twin.backup();
    for (let turn = 0; turn < 2; turn += 1) {
      world.net.cut(true);
      world.net.cut(false);
      await box.tell("a", 1);
      await world.clock.advance(10 * MINUTE);
      await world.settle(box);
      if (turn === 0) restore();
    }
    expect(world.memory.gaps).toContainEqual({
      place: `event/${epoch}`,
      gap: { epoch, stream: "event", from: 3, through: 5 },
    });
  });

  test("is told nothing of them when it does not say what it has", async () => {
    const { world, box, epoch } = await renewed();
    const { hear } = world.twin;
    world.twin.hear = (gateway, message) => {
      const answer = hear.call(world.twin, gateway, message);
      if (answer?.kind !== "welcome") return answer;
      const { earlier: _earlier, ...welcome } = answer;
      return welcome;
    };
    world.net.cut(true);
    world.net.cut(false);
    await world.clock.advance(10 * MINUTE);
    expect(world.memory.gaps.some(({ place }) => place === `event/${epoch}`)).toBe(false);
    expect(box.run.store.outbox.meta!.earlier).toContainEqual({ epoch, acked: 5, through: 5 });
  });
});

describe("2.2, rule 5: the room for events", () => {
  test("is never made by dropping some; it is told that there is none", async () => {
    const world = new SyncWorld(1);
    const box = new Box(world, undefined, { maxEventBytes: 2_000 });
    world.net.cut(true);
    await box.start();
    expect((await box.run.cloud.progress()).isFull).toBe(false);
    for (let turn = 0; turn < 30; turn += 1) await box.tell("a");
    expect((await box.run.cloud.progress()).isFull).toBe(true);
    expect(box.run.log.lines.filter(({ level }) => level === "error")).toHaveLength(1);
    world.net.cut(false);
    await world.settle(box);
    expect(world.effects).toEqual(world.told.map(({ n }) => n));
    expect(world.memory.effects.filter(({ event }) => event === "system:cloud:events-full")).toHaveLength(1);
    expect((await box.run.cloud.progress()).isFull).toBe(false);
  });
});

describe("2.2, rule 7: a cloud service that is back", () => {
  test("knows how things are before it hears what was, which is marked as history", async () => {
    const { world, box } = await started();
    await world.clock.advance(MINUTE);
    world.net.cut(true);
    for (let turn = 0; turn < 20; turn += 1) await box.tell(`m${turn % 3}`, 50);
    const order: string[] = [];
    const { hear } = world.twin;
    world.twin.hear = (gateway, message) => {
      if (message.kind === "batch") order.push(`${message.stream} ${message.historical}`);
      return hear.call(world.twin, gateway, message);
    };
    world.net.cut(false);
    await world.settle(box);
    expect(order[0]).toBe("state true");
    expect(order.filter((each) => each === "state true")).toHaveLength(1);
    expect(order.filter((each) => each === "event true").length).toBeGreaterThan(1);
    expect(world.effects).toHaveLength(1_000);
  });

  test("is not stormed: pauses grow to five minutes, and chance spreads them", async () => {
    const { world, box } = await started();
    world.net.cut(true);
    await world.clock.advance(24 * 60 * MINUTE);
    const { attemptsMs } = world.net;
    const pausesMs = attemptsMs.slice(1).map((atMs, index) => atMs - attemptsMs[index]!);
    expect(Math.min(...pausesMs)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...pausesMs)).toBeLessThan(5 * MINUTE + 1);
    expect(new Set(pausesMs).size).toBeGreaterThan(100);
    expect(attemptsMs.length).toBeLessThan(1_000);
    expect((await box.run.cloud.progress()).reason).toBe("no way");
  });
});

describe("2.2, rule 8: times", () => {
  test("of a start that began in 1970 are right when they arrive", async () => {
    const world = new SyncWorld(1);
    const box = new Box(world);
    world.clock.setWallMs(0);
    world.clock.setQuality("unset");
    await box.start();
    await box.tell("a", 2);
    await world.clock.advance(5 * MINUTE);
    expect(world.effects).toEqual([]);
    world.clock.setWallMs(world.trueMs);
    world.clock.setQuality("synced");
    await box.tell("a", 1);
    await world.settle(box);
    for (const { payload, atMs } of world.memory.effects) {
      const told = world.told.find(({ n }) => n === Reflect.get(Object(payload), "n"));
      expect(Math.abs(atMs - (told?.trueMs ?? 0))).toBeLessThan(1_000);
    }
    expect(world.memory.effects.map(({ quality }) => quality)).toEqual(["redated", "redated", "synced"]);
  });
});

test("an audit's question is answered with what is gone, and with what is not", async () => {
  const { world, box } = await started();
  await box.tell("a", 4);
  await world.settle(box);
  const { epoch } = box.run.store.outbox.meta!;
  const heard: unknown[] = [];
  const { hear } = world.twin;
  world.twin.hear = (gateway, message) => {
    heard.push(message);
    return hear.call(world.twin, gateway, message);
  };
  const ranges = [{ from: 2, through: 3 }];
  await world.net.tell(GATEWAY, { v: 1, kind: "gap-request", stream: "event", epoch, ranges });
  await world.clock.advance(MINUTE);
  expect(heard).toMatchObject([
    { stream: "event", from: 2, through: 3, records: [], gaps: [{ from: 2, through: 3, reason: "acknowledged" }] },
  ]);
});
