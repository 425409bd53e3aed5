/** Rules of the outbox that no other test is named after; docs/design/cloud-service.md has the list of all of them. */
import { describe, expect, test } from "vitest";
import { outboxKey } from "../../../src/store/keys.ts";
import { cutPowerAt } from "./crash-points.ts";
import { Box, numberIn, SyncWorld } from "./sync-world.ts";

const MINUTE = 60_000;
const ALL = { records: 500, bytes: 1_000_000 };

async function started() {
  const world = new SyncWorld(1);
  const box = new Box(world);
  await box.start();
  await world.clock.advance(MINUTE);
  return { world, box };
}

describe("2.2, rule 1: a change and what is told of it are one batch", () => {
  test.each(["before the batch", "after the batch"] as const)(
    "the power goes %s: both are there, or none",
    async (point) => {
      const { world, box } = await started();
      world.net.cut(true);
      expect(await cutPowerAt(point, box, () => box.tell("a"))).toBe(true);
      await box.start();
      const { records } = (await box.run.store.outbox.read("event", 0, ALL))!;
      const kept = point === "after the batch" ? [1] : [];
      expect(records.map(({ payload }) => numberIn(payload))).toEqual(kept);
      expect([...box.states.values()]).toEqual(kept);
    },
  );

  test("the next number is never read off the last row, which a drained stream has not (Azure IoT Edge)", async () => {
    const { world, box } = await started();
    await box.tell("a", 3);
    await world.settle(box);
    const { epoch } = box.run.store.outbox.meta!;
    await world.resolve(box.run.store.outbox.acknowledge("event", epoch, 3));
    await box.stop();
    await box.start();
    await box.tell("a");
    expect(box.run.store.outbox.meta).toMatchObject({ epoch, streams: { event: { next: 5 } } });
    await world.settle(box);
    expect(world.effects).toEqual([1, 2, 3, 4]);
  });
});

test("2.2, rule 9: what is committed at once costs one sync, not one each (466 a second on a disk, 5 to 50 times less on a card)", async () => {
  const { world, box } = await started();
  world.net.cut(true);
  const { batches } = box.disk;
  const commits = Array.from({ length: 64 }, (_, n) => {
    return box.run.store.commit([], [{ event: "user:vendor-action:updated", payload: { n: n + 1 } }]);
  });
  await world.resolve(Promise.all(commits));
  expect(box.disk.batches - batches).toBe(1);
  expect(box.run.store.outbox.meta!.streams.event.next).toBe(65);
});

test("2.2, rule 10: a read begins behind what is acknowledged, and never among the rows that were there (18 ms for 74,500 of them)", async () => {
  const { world, box } = await started();
  await box.tell("a", 3);
  await world.settle(box);
  const { epoch } = box.run.store.outbox.meta!;
  await world.resolve(box.run.store.outbox.acknowledge("event", epoch, 3));
  expect([...box.disk.contents("critical").keys()].filter((key) => key.startsWith("outbox!event"))).toEqual([]);
  await box.stop();
  // What a read would stumble over that began at the prefix.
  const stale = outboxKey({ stream: "event", epoch, seq: 2 });
  box.disk.contents("critical").set(stale, Uint8Array.of(1));
  world.net.cut(true);
  await box.start();
  await box.tell("a");
  const read = await box.run.store.outbox.read("event", 3, ALL);
  expect(read).toMatchObject({ damaged: [], lost: [], records: [{ seq: 4 }] });
});

test("2.2, rule 11: a database that does not open is kept aside, never deleted (Greengrass), and numbers begin anew", async () => {
  const { world, box } = await started();
  await box.tell("a", 2);
  await world.settle(box);
  const { epoch } = box.run.store.outbox.meta!;
  await box.stop();
  box.disk.damage("critical");
  await box.start();
  expect(box.run.store.recovered).toContainEqual(expect.stringContaining("moved to memory:critical.damaged-1"));
  expect(box.run.store.outbox.meta!.epoch).not.toBe(epoch);
  await box.tell("a");
  await world.settle(box);
  expect(world.effects).toEqual([1, 2, 3]);
});
