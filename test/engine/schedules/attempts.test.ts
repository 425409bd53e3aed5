import { describe, expect, it } from "vitest";
import { Attempts } from "../../../src/engine/schedules/attempts.ts";

const MINUTE_MS = 60_000;

function makeClock() {
  let nowMs = 1_000_000;
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { monotonicMs: () => nowMs, nowMs: () => nowMs, pass };
}

describe("attempts", () => {
  it("wait 1, 5, 15 and then 30 minutes after each that came to nothing", () => {
    const clock = makeClock();
    const attempts = new Attempts(clock, null);
    attempts.expect("START");
    const waits = Array.from({ length: 6 }, () => {
      const waitMs = attempts.waitMs();
      clock.pass(waitMs);
      attempts.began();
      clock.pass(5 * MINUTE_MS);
      return waitMs / MINUTE_MS;
    });
    expect(waits).toEqual([0, 1, 5, 15, 30, 30]);
  });

  it("begin anew for another expectation", () => {
    const attempts = new Attempts(makeClock(), null);
    attempts.expect("START");
    attempts.waitMs();
    attempts.began();
    expect(attempts.waitMs()).toBe(MINUTE_MS);
    attempts.expect("STOP");
    expect(attempts.waitMs()).toBe(0);
  });

  it("are slow with a target that flutters, and quick after a quarter of an hour as expected", () => {
    const clock = makeClock();
    const attempts = new Attempts(clock, null);
    attempts.expect("START");
    attempts.waitMs();
    attempts.began();
    attempts.aligned();
    clock.pass(10 * MINUTE_MS);
    expect(attempts.waitMs()).toBe(MINUTE_MS);
    attempts.aligned();
    clock.pass(15 * MINUTE_MS);
    expect(attempts.waitMs()).toBe(0);
  });

  it.each([
    ["where they were", 2 * MINUTE_MS, 3 * MINUTE_MS],
    ["at once when their time came meanwhile", 60 * MINUTE_MS, 0],
    ["after the whole wait when the clock was set back", -60 * MINUTE_MS, 5 * MINUTE_MS],
  ])("go on after a restart %s", (_name, awayMs, waitMs) => {
    const clock = makeClock();
    const record = { expectation: "START", count: 2, atMs: clock.nowMs() - awayMs };
    const attempts = new Attempts(clock, record);
    attempts.expect("START");
    expect(attempts.record).toEqual(record);
    expect(attempts.waitMs()).toBe(waitMs);
  });

  it("that are still under way after a restart count from their end", () => {
    const clock = makeClock();
    const attempts = new Attempts(clock, { expectation: "START", count: 1, atMs: clock.nowMs() - 4 * MINUTE_MS });
    attempts.expect("START");
    attempts.underWay();
    clock.pass(MINUTE_MS);
    expect(attempts.waitMs()).toBe(MINUTE_MS);
  });
});
