import { expect, test } from "vitest";
import { Box, SyncWorld } from "./sync-world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MB = 1_000_000;

function blocks(box: Box): number {
  return [...box.disk.contents("telemetry").keys()].filter((key) => key.includes("meter")).length;
}

async function measure({ run, world }: Box, minutes: number, stepMs = MINUTE): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    const atMs = world.clock.nowMs();
    run.store.record({ deviceId: "meter", atMs, values: [{ point: "meter.power", value: minute % 7 }] });
    await world.clock.advance(stepMs);
  }
}

test("2.2, rule 6: with little room on the disk history waits in memory, and events and their telling go on", async () => {
  const world = new SyncWorld(1);
  const box = new Box(world);
  await box.start();
  const { store, log } = box.run;
  await measure(box, 30);
  const before = blocks(box);
  expect(before).toBeGreaterThan(0);
  expect(store.space).toMatchObject({ freeBytes: box.disk.room, isShort: false });
  box.disk.room = 99 * MB;
  const sinceMs = world.clock.nowMs();
  await measure(box, 60);
  expect(store.space).toMatchObject({ freeBytes: 99 * MB, isShort: true });
  expect(blocks(box)).toBe(before);
  expect(await box.tell("a", 3)).toBe(true);
  await world.settle(box);
  expect(world.effects).toEqual([1, 2, 3]);
  const short = world.memory.effects.filter(({ event }) => event === "system:store:disk-short");
  expect(short).toMatchObject([{ payload: { freeBytes: 99 * MB } }]);
  expect(log.texts("error")).toEqual(["the disk is almost full; not writing history until there is space again"]);
  // A little more is not enough to begin anew: it would be gone at once.
  box.disk.room = 110 * MB;
  await measure(box, 15);
  expect([store.space.isShort, blocks(box)]).toEqual([true, before]);
  box.disk.room = 126 * MB;
  await measure(box, 15);
  expect(store.space.isShort).toBe(false);
  expect(blocks(box)).toBeGreaterThan(before + 15);
  const kept = await world.resolve(store.history("meter", sinceMs, world.clock.nowMs()));
  expect(kept).toHaveLength(90);
});

test("2.2, rule 6: with less the oldest days of history go, to the last week, and no event", async () => {
  const world = new SyncWorld(1);
  const box = new Box(world);
  world.net.cut(true);
  await box.start();
  const sinceMs = world.clock.nowMs();
  await measure(box, 12, DAY);
  await box.tell("a", 5);
  const days = async (): Promise<number> => {
    const found = await world.resolve(box.run.store.history("meter", 0, world.clock.nowMs()));
    return found.length;
  };
  expect(await days()).toBe(12);
  box.disk.room = 49 * MB;
  await world.clock.advance(11 * MINUTE);
  expect(await days()).toBe(11);
  await world.clock.advance(120 * MINUTE);
  expect(await days()).toBe(7);
  world.net.cut(false);
  await world.settle(box);
  expect(world.effects).toEqual([1, 2, 3, 4, 5]);
  await world.settleTelemetry(box);
  expect(world.memory.telemetry).toHaveLength(7);
  // What went before it was told is a hole; a quarter in which nothing was measured is none.
  const lost = world.memory.gaps.map(({ gap }) => gap.fromMs ?? 0);
  expect(new Set(lost.map((atMs) => Math.floor(atMs / DAY))).size).toBe(5);
  expect(Math.max(...lost)).toBeLessThan(sinceMs + 5 * DAY);
});

test("2.2, rule 6: a disk that does not say how much room it has stops nothing", async () => {
  const world = new SyncWorld(1);
  const box = new Box(world);
  box.disk.freeBytes = () => Promise.reject(new Error("no such call"));
  await box.start();
  await measure(box, 15);
  expect(box.run.store.space).toMatchObject({ freeBytes: null, isShort: false });
  expect(blocks(box)).toBeGreaterThan(0);
});
