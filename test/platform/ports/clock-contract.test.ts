/** What every clock keeps, the real one and the virtual one. */
import { describe, expect, test } from "vitest";
import { nodeClock } from "../../../src/platform/node/node-clock.ts";
import type { Clock } from "../../../src/platform/ports/ports.ts";
import { VirtualClock } from "../../../src/testing/virtual-clock.ts";

const NEVER = new AbortController().signal;
/** Node's timers count whole milliseconds of their own; against the exact clock they may be this early. */
const EARLY_MS = 1;

interface Subject {
  readonly clock: Clock;
  /** Waits for a promise, letting time pass. */
  wait<T>(promise: Promise<T>): Promise<T>;
}

const subjects: Record<string, () => Subject> = {
  node: () => ({ clock: nodeClock(() => "synced"), wait: (promise) => promise }),
  virtual: () => {
    const clock = new VirtualClock();
    return { clock, wait: (promise) => clock.resolve(promise, 60_000) };
  },
};

describe.each(Object.entries(subjects))("clock contract, %s", (_name, make) => {
  test("a sleep takes as long as asked on the monotonic side", async () => {
    const { clock, wait } = make();
    const startMs = clock.monotonicMs();
    await wait(clock.sleep(20, NEVER));
    expect(clock.monotonicMs() - startMs).toBeGreaterThanOrEqual(20 - EARLY_MS);
  });

  test("the wall side goes along", async () => {
    const { clock, wait } = make();
    const startMs = clock.nowMs();
    await wait(clock.sleep(20, NEVER));
    expect(clock.nowMs() - startMs).toBeGreaterThanOrEqual(20 - 2 * EARLY_MS);
    expect(Number.isInteger(clock.nowMs())).toBe(true);
  });

  test("an aborted sleep rejects with the signal's reason, at once when it was aborted before", async () => {
    const { clock, wait } = make();
    const reason = new Error("enough");
    const controller = new AbortController();
    const sleep = clock.sleep(10_000, controller.signal);
    controller.abort(reason);
    await expect(wait(sleep)).rejects.toBe(reason);
    await expect(wait(clock.sleep(10_000, controller.signal))).rejects.toBe(reason);
  });

  test("a timer calls back once; a disposed one never", async () => {
    const { clock, wait } = make();
    let calls = 0;
    let isWrong = false;
    clock.timer(1, () => {
      calls += 1;
    });
    const disposed = clock.timer(1, () => {
      isWrong = true;
    });
    disposed[Symbol.dispose]();
    await wait(clock.sleep(20, NEVER));
    expect(calls).toBe(1);
    expect(isWrong).toBe(false);
  });

  test("a delay beyond 2^31 ms does not fire at once", async () => {
    const { clock, wait } = make();
    let isFired = false;
    using _timer = clock.timer(2 ** 31 + 5, () => {
      isFired = true;
    });
    await wait(clock.sleep(20, NEVER));
    expect(isFired).toBe(false);
  });

  test("a negative delay is none", async () => {
    const { clock, wait } = make();
    const { promise, resolve } = Promise.withResolvers<void>();
    clock.timer(-5, resolve);
    await wait(promise);
  });

  test("a delay that is not a number is a bug, said at once", () => {
    const { clock } = make();
    expect(() => clock.timer(Number.NaN, () => undefined)).toThrow(/delay/);
  });
});
