import { SeededRandom } from "hemgate/testing";
import { expect, test } from "vitest";
import { Backoff } from "../../../../adapters/modbus/bus/backoff.ts";
import { LearnedTimeout, NETWORK_PATIENCE } from "../../../../adapters/modbus/bus/learned-timeout.ts";

test("each failure doubles the rest, up to half a minute, with at most half of it taken off by chance", () => {
  const backoff = new Backoff(new SeededRandom(3));
  for (const fullMs of [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]) {
    backoff.failed(500, new Error("silent"));
    expect(backoff.restMs(500)).toBeGreaterThanOrEqual(fullMs / 2);
    expect(backoff.restMs(500)).toBeLessThanOrEqual(fullMs);
  }
});

test("two that failed together do not come back together", () => {
  const random = new SeededRandom(3);
  const [one, other] = [new Backoff(random), new Backoff(random)];
  one.failed(0, null);
  other.failed(0, null);
  expect(one.restMs(0)).not.toBe(other.restMs(0));
});

test("a rest ends with its time, and a success forgets all failures", () => {
  const backoff = new Backoff(new SeededRandom(3));
  backoff.failed(0, "why");
  expect(backoff.cause).toBe("why");
  expect(backoff.restMs(1_000)).toBe(0);
  expect(backoff.hasFailed).toBe(true);
  backoff.succeeded();
  expect(backoff.hasFailed).toBe(false);
  backoff.failed(0, "again");
  expect(backoff.restMs(0)).toBeLessThanOrEqual(1_000);
});

test("a time limit is four times the latency, never under one second nor over six", () => {
  const learned = new LearnedTimeout(NETWORK_PATIENCE);
  expect(learned.timeoutMs).toBe(3_000);
  learned.answered(400);
  expect(learned.timeoutMs).toBe(1_600);
  learned.answered(5);
  expect(learned.timeoutMs).toBeGreaterThan(1_400);
  for (let answers = 0; answers < 200; answers++) learned.answered(5);
  expect(learned.timeoutMs).toBe(1_000);
  learned.answered(3_000);
  expect(learned.timeoutMs).toBe(6_000);
});

test("silence makes the next wait longer, because the unit may only have become slower", () => {
  const learned = new LearnedTimeout(NETWORK_PATIENCE);
  learned.answered(10);
  learned.stayedSilent();
  expect(learned.timeoutMs).toBe(1_500);
  for (let times = 0; times < 10; times++) learned.stayedSilent();
  expect(learned.timeoutMs).toBe(6_000);
});
