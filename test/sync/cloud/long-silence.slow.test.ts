import { expect, test } from "vitest";
import { Box, SyncWorld } from "./sync-world.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

test("a month offline arrives whole, in order, and says how long it takes", async () => {
  const world = new SyncWorld(1);
  const box = new Box(world);
  await box.start();
  await world.clock.advance(MINUTE);
  world.net.cut(true);
  for (let day = 0; day < 30; day += 1) {
    await box.tell(`m${day % 3}`, 20);
    await world.clock.advance(DAY);
  }
  const before = await box.run.cloud.progress();
  expect(before).toMatchObject({ isConnected: false, isFull: false, oldestAtMs: world.told[0]?.trueMs });
  const eventOf = ({ streams }: typeof before) => streams.find(({ stream }) => stream === "event");
  const oldestAtMs = world.told[0]?.trueMs;
  expect(eventOf(before)).toMatchObject({ waiting: 600, oldestAtMs, ratePerS: null, remainingMs: null });
  world.net.cut(false);
  await world.settle(box);
  expect(world.effects).toEqual(world.told.map(({ n }) => n));
  const after = await box.run.cloud.progress();
  expect(after).toMatchObject({ isConnected: true, oldestAtMs: null, remainingMs: 0 });
  expect(after.ratePerS).toBeGreaterThan(0);
  expect(eventOf(after)).toMatchObject({ waiting: 0, oldestAtMs: null, remainingMs: 0 });
  expect(eventOf(after)?.ratePerS).toBeGreaterThan(0);
});

test("2.2, rule 4: no more is on its way than the window lets, and nothing is read ahead of it", async () => {
  const world = new SyncWorld(1);
  world.twin.window = 2;
  world.twin.maxBatchBytes = 4_096;
  const box = new Box(world);
  world.net.cut(true);
  await box.start();
  for (let turn = 0; turn < 10; turn += 1) await box.tell("a", 100);
  const throughs: number[] = [];
  const { hear } = world.twin;
  world.twin.hear = (gateway, message) => {
    if (message.kind === "hello") return hear.call(world.twin, gateway, message);
    if (message.stream === "event") throughs.push(message.through);
    return message.stream === "event" ? null : hear.call(world.twin, gateway, message);
  };
  world.net.cut(false);
  while (throughs.length === 0) await world.clock.advance(10_000);
  await world.clock.advance(20_000);
  expect(new Set(throughs).size).toBe(2);
  world.twin.hear = hear;
  await world.settle(box);
  expect(world.effects).toEqual(world.told.map(({ n }) => n));
});

test("2.2, rule 6: what is acknowledged takes no room while the gateway is connected", async () => {
  const world = new SyncWorld(1);
  const box = new Box(world, undefined, { maxEventBytes: 20_000 });
  await box.start();
  for (let turn = 0; turn < 40; turn += 1) {
    await box.tell("a", 10);
    await world.clock.advance(2 * MINUTE);
    expect((await box.run.cloud.progress()).isFull).toBe(false);
  }
  expect(world.effects).toHaveLength(400);
});

test("2.2, rule 15: while it catches up, the log says once a minute how much waits, since when, and how long it takes", async () => {
  const world = new SyncWorld(1);
  world.twin.window = 1;
  world.twin.maxBatchBytes = 4_096;
  const box = new Box(world);
  world.net.cut(true);
  await box.start();
  const { log } = box.run;
  for (let turn = 0; turn < 60; turn += 1) await box.tell("a", 400);
  const lines = () => log.lines.filter(({ text }) => text === "sending waiting records to the cloud service");
  expect(lines()).toEqual([]);
  world.net.cut(false);
  await world.settle(box);
  const waiting = lines().map(({ fields }) => fields);
  expect(waiting.length).toBeGreaterThan(0);
  const [first] = waiting;
  const above = (least: number): unknown => expect.toSatisfy((value: number) => value > least);
  expect(first).toMatchObject({
    waiting: expect.arrayContaining([
      { stream: "event", waiting: above(0), oldestAtMs: above(0), ratePerS: above(0), remainingMs: above(0) },
    ]),
    remainingMs: above(0),
  });
  await world.clock.advance(10 * MINUTE);
  expect(lines()).toHaveLength(waiting.length);
});
