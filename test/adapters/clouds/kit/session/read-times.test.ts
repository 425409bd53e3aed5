import { expect, test } from "vitest";
import { ReadTimes } from "../../../../../adapters/clouds/kit/session/read-times.ts";
import { VirtualClock } from "../../../../../src/testing/virtual-clock.ts";

const MINUTE_MS = 60_000;

function bed() {
  const clock = new VirtualClock();
  const plan = { periodMs: 300 * MINUTE_MS, windfallCount: 0, asked: 0 };
  const times = new ReadTimes(clock);
  times.follow({
    nextMs: () => {
      plan.asked += 1;
      return plan.periodMs;
    },
    windfalls: () => plan.windfallCount,
  });
  const read = (hasAnswered = true) => {
    times.began();
    times.ended(hasAnswered);
  };
  return { clock, plan, times, read };
}

test("what was planned with little is planned anew once there is more, and only then", async () => {
  const { clock, plan, times, read } = bed();
  read();
  const { asked } = plan;
  await clock.advance(40 * MINUTE_MS);
  plan.periodMs = 36 * MINUTE_MS;
  expect(times.isDue("due")).toBe(false);
  expect(plan.asked).toBe(asked);
  plan.windfallCount = 1;
  expect(times.isDue("due")).toBe(true);
  expect(times.periodMs).toBe(36 * MINUTE_MS);
  expect(times.isDue("due")).toBe(true);
  // Each plan draws its jitter: those that are drawn again and again end early.
  expect(plan.asked).toBe(asked + 1);
});

test("calls between far readings bring none forward", async () => {
  const { clock, times, read } = bed();
  await clock.advance(299 * MINUTE_MS);
  read();
  expect(times.isFarOff).toBe(true);
  for (let minute = 0; minute < 300; minute += 1) {
    expect(times.isDue("due")).toBe(false);
    await clock.advance(MINUTE_MS);
  }
  expect(times.isDue("due")).toBe(true);
});

test("who waits for what a command did asks ever less often while nothing answers", async () => {
  const { clock, times, read } = bed();
  read();
  let asked = 0;
  for (let passed = 0; passed < 240 * MINUTE_MS; passed += 10_000) {
    await clock.advance(10_000);
    if (!times.isDue("all", true)) continue;
    asked += 1;
    read(false);
  }
  // Half a minute, one, two, four, 8, 16, and then each 32.
  expect(asked).toBe(12);
  read();
  await clock.advance(30_000);
  expect(times.isDue("all", true)).toBe(true);
});

test("new connections of a device that does not answer ask no more often than its period", async () => {
  const { clock, times, read } = bed();
  await clock.advance(MINUTE_MS);
  read(false);
  await clock.advance(299 * MINUTE_MS);
  expect(times.isDue("all")).toBe(false);
  await clock.advance(MINUTE_MS);
  expect(times.isDue("all")).toBe(true);
});
