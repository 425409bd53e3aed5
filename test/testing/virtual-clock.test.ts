import { expect, test } from "vitest";
import { TimeoutError, within } from "../../src/platform/within.ts";
import { VIRTUAL_START_MS, VirtualClock } from "../../src/testing/virtual-clock.ts";

const NEVER = new AbortController().signal;
const DAY_MS = 86_400_000;

test("timers fire by due time, then by creation", async () => {
  const clock = new VirtualClock();
  const fired: string[] = [];
  clock.timer(20, () => fired.push("late"));
  clock.timer(10, () => fired.push("first"));
  clock.timer(10, () => fired.push("second"));
  await clock.advance(15);
  expect(fired).toEqual(["first", "second"]);
  await clock.advance(5);
  expect(fired).toEqual(["first", "second", "late"]);
});

test("a timer's callback sees exactly its due time", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  clock.timer(7, () => seen.push(clock.monotonicMs()));
  clock.timer(9.5, () => seen.push(clock.monotonicMs()));
  await clock.advance(100);
  expect(seen).toEqual([7, 9.5]);
  expect(clock.monotonicMs()).toBe(100);
});

test("all that a timer set in motion settles before the next one fires", async () => {
  const clock = new VirtualClock();
  const order: string[] = [];
  const slow = async (): Promise<void> => {
    for (let hop = 0; hop < 50; hop += 1) await null;
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise<void>((resolve) => process.nextTick(resolve));
    order.push(`settled at ${clock.monotonicMs()}`);
  };
  clock.timer(1, () => void slow());
  clock.timer(2, () => order.push("next timer"));
  await clock.advance(2);
  expect(order).toEqual(["settled at 1", "next timer"]);
});

test("a timer set while another fires takes its place in the same advance", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  clock.timer(1, () => clock.timer(1, () => seen.push(clock.monotonicMs())));
  await clock.advance(10);
  expect(seen).toEqual([2]);
});

test("a disposed timer never fires, and disposing twice is harmless", async () => {
  const clock = new VirtualClock();
  let isFired = false;
  const timer = clock.timer(1, () => {
    isFired = true;
  });
  timer[Symbol.dispose]();
  timer[Symbol.dispose]();
  await clock.advance(10);
  expect(isFired).toBe(false);
  expect(clock.pendingTimers).toBe(0);
});

test("thousands of cancelled timers leave the order of the others alone", async () => {
  const clock = new VirtualClock();
  const fired: number[] = [];
  const timers = Array.from({ length: 5_000 }, (_, index) =>
    clock.timer((index * 7_919) % 5_000, () => fired.push((index * 7_919) % 5_000)),
  );
  for (const [index, timer] of timers.entries()) if (index % 10 !== 0) timer[Symbol.dispose]();
  expect(clock.pendingTimers).toBe(500);
  await clock.advance(5_000);
  expect(fired).toHaveLength(500);
  expect(fired).toEqual(fired.toSorted((a, b) => a - b));
});

test("a sleep ends at its time, or rejects with the signal's reason and leaves no timer", async () => {
  const clock = new VirtualClock();
  const controller = new AbortController();
  const short = clock.sleep(5, NEVER).then(() => clock.monotonicMs());
  const long = clock.sleep(50, controller.signal).catch((error: unknown) => error);
  await clock.advance(5);
  expect(await short).toBe(5);
  const reason = new Error("enough");
  controller.abort(reason);
  expect(await long).toBe(reason);
  expect(clock.pendingTimers).toBe(0);
});

test("within() runs out of time in virtual time", async () => {
  const clock = new VirtualClock();
  const work = within(clock, 2_000, NEVER, () => new Promise<void>(() => undefined)).catch((error: unknown) => error);
  await clock.advance(2_000);
  expect(await work).toBeInstanceOf(TimeoutError);
});

test("a step of the wall clock moves no timer", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  clock.timer(1_000, () => seen.push(clock.monotonicMs()));
  clock.setWallMs(0);
  expect(clock.nowMs()).toBe(0);
  await clock.advance(1_000);
  expect(seen).toEqual([1_000]);
  expect(clock.nowMs()).toBe(1_000);
});

test("the wall clock starts where it is told and has the quality it is given", () => {
  const clock = new VirtualClock({ startMs: 42, quality: "unset" });
  expect(clock.nowMs()).toBe(42);
  expect(clock.quality()).toBe("unset");
  clock.setQuality("synced");
  expect(clock.quality()).toBe("synced");
  expect(new VirtualClock().nowMs()).toBe(VIRTUAL_START_MS);
});

test("a delay of months fires once, at its time", async () => {
  const clock = new VirtualClock();
  const seen: number[] = [];
  clock.timer(60 * DAY_MS, () => seen.push(clock.monotonicMs()));
  await clock.advance(59 * DAY_MS);
  expect(seen).toEqual([]);
  await clock.advance(2 * DAY_MS);
  expect(seen).toEqual([60 * DAY_MS]);
});

test("a loop that never waits is reported instead of running for ever", async () => {
  const clock = new VirtualClock();
  const again = (): void => void clock.timer(0, again);
  again();
  await expect(clock.advance(1)).rejects.toThrow(/time stands still/);
}, 30_000);

test("runUntil stops at the timer that made the condition true", async () => {
  const clock = new VirtualClock();
  let count = 0;
  const tick = (): void => {
    count += 1;
    clock.timer(10, tick);
  };
  clock.timer(10, tick);
  expect(await clock.runUntil(() => count === 3, 1_000)).toBe(true);
  expect(clock.monotonicMs()).toBe(30);
  expect(await clock.runUntil(() => count === 1_000, 100)).toBe(false);
  expect(clock.monotonicMs()).toBe(130);
});

test("resolve lets time pass until a promise settles, and gives up at its limit", async () => {
  const clock = new VirtualClock();
  expect(
    await clock.resolve(
      clock.sleep(500, NEVER).then(() => "done"),
      1_000,
    ),
  ).toBe("done");
  expect(clock.monotonicMs()).toBe(500);
  await expect(clock.resolve(new Promise(() => undefined), 100)).rejects.toThrow(/within 100 ms/);
});

test("two callers cannot move one clock", async () => {
  const clock = new VirtualClock();
  const first = clock.advance(10);
  await expect(clock.advance(10)).rejects.toThrow(/two callers/);
  await first;
});
