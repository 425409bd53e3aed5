import { expect, test } from "vitest";
import { ReadTimes } from "../../../../adapters/clouds/kit/read-times.ts";
import { VirtualClock } from "../../../../src/testing/virtual-clock.ts";

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
  const read = () => {
    times.began();
    times.ended();
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
