import { expect, test } from "vitest";
import type { Disk } from "../../src/platform/ports/ports.ts";
import { World } from "../../src/testing/world.ts";

const NEVER = new AbortController().signal;
const NO_FILE = async (): Promise<never> => {
  throw new Error("no disk here");
};
const NO_DISK: Disk = {
  copy: { read: NO_FILE, write: NO_FILE, moveAside: NO_FILE },
  open: async () => {
    throw new Error("no disk here");
  },
  rebuild: async () => {
    throw new Error("no disk here");
  },
  moveAside: async () => {
    throw new Error("no disk here");
  },
  freeBytes: async () => {
    throw new Error("no disk here");
  },
};
const DEVICE = { host: "device", port: 502 };
const DEAF = { data: () => undefined, closed: () => undefined };

test("after a kill no line of the process runs: no timer, no sleep, no connection", async () => {
  const world = new World({ seed: 1 });
  const process = world.boot("gateway", NO_DISK);
  const { clock, net } = process.platform;
  await world.boot("device", NO_DISK).platform.net.listen(DEVICE, () => DEAF);
  const ran: string[] = [];
  clock.timer(10, () => ran.push("timer"));
  void clock.sleep(10, NEVER).then(() => ran.push("sleep"));
  void net.connect(DEVICE, DEAF, NEVER).then(
    () => ran.push("connect"),
    () => ran.push("connect"),
  );
  process.kill();
  clock.timer(10, () => ran.push("timer set by a dead process"));
  void net.connect(DEVICE, DEAF, NEVER).then(() => ran.push("connect of a dead process"));
  await world.clock.advance(1_000_000);
  expect(ran).toEqual([]);
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test("what a process holds of the world is counted", async () => {
  const world = new World({ seed: 1 });
  const process = world.boot("gateway", NO_DISK);
  const { clock, net } = process.platform;
  const listener = await net.listen(DEVICE, () => DEAF);
  const stream = await world.clock.resolve(net.connect(DEVICE, DEAF, NEVER), 100);
  const timer = clock.timer(1_000, () => undefined);
  clock.timer(1, () => undefined);
  expect(process.resources).toEqual({ streams: 2, listeners: 1, timers: 2 });
  await world.clock.advance(10);
  timer[Symbol.dispose]();
  stream[Symbol.dispose]();
  await listener[Symbol.asyncDispose]();
  expect(process.resources).toEqual({ streams: 0, listeners: 0, timers: 0 });
});

test("each process of a world has chance of its own, the same in every run", () => {
  const draw = () => {
    const world = new World({ seed: 3 });
    return [world.boot("a", NO_DISK), world.boot("b", NO_DISK)].map((process) => process.platform.random.uuid());
  };
  const [first, second] = draw();
  expect(first).not.toBe(second);
  expect(draw()).toEqual([first, second]);
});

test("what a process logs stands in the event log, until it dies", () => {
  const world = new World({ seed: 1 });
  const process = world.boot("gateway", NO_DISK);
  process.platform.log.warn({ deviceId: "meter" }, "device unreachable");
  process.platform.log.debug({}, "traffic");
  process.kill();
  process.platform.log.error({}, "a ghost speaks");
  expect(world.events.recent).toEqual([
    '0 boot {"name":"gateway","number":1}',
    '0 warn {"text":"device unreachable","deviceId":"meter"}',
  ]);
});
