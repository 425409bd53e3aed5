import { expect, test } from "vitest";
import { watchService } from "../../src/cli-socket/service-watch.ts";
import { TestLog, VirtualClock } from "../../src/testing/index.ts";

function service(watchdogMs: number | null) {
  const clock = new VirtualClock();
  const log = new TestLog();
  const stop = new AbortController();
  const told: string[] = [];
  const stalled: string[] = [];
  const manager = {
    watchdogMs,
    notify: async (...states: readonly string[]) => {
      told.push(...states.map((state) => `${clock.monotonicMs()} ${state}`));
    },
  };
  const ended = watchService({ clock, log, manager, stalledLoops: () => stalled }, stop.signal);
  return { clock, log, stop, told, stalled, ended };
}

test("the watchdog is fed three times in its time while all loops turn", async () => {
  const { clock, told } = service(30_000);
  await clock.advance(25_000);
  expect(told).toEqual(["0 WATCHDOG=1", "10000 WATCHDOG=1", "20000 WATCHDOG=1"]);
});

test("a loop that stands still starves it, once told in the log, until the loop turns again", async () => {
  const { clock, told, stalled, log } = service(30_000);
  await clock.settle();
  stalled.push("meter");
  await clock.advance(45_000);
  expect(told).toEqual(["0 WATCHDOG=1"]);
  expect(log.texts("error")).toEqual(["loops stand still; the watchdog is not fed"]);
  stalled.pop();
  await clock.advance(10_000);
  expect(told).toEqual(["0 WATCHDOG=1", "50000 WATCHDOG=1"]);
});

test("nobody is told when nobody watches", async () => {
  const { clock, told, ended } = service(null);
  await ended;
  await clock.advance(60_000);
  expect(told).toEqual([]);
});

test("the watch of the service ends with the signal and leaves no timer", async () => {
  const { clock, stop, ended } = service(30_000);
  await clock.settle();
  stop.abort();
  await ended;
  expect(clock.pendingTimers).toBe(0);
});
