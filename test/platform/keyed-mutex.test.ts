import { describe, expect, test } from "vitest";
import { BusyError, KeyedMutex } from "../../src/platform/keyed-mutex.ts";

/** Work that ends when the test says so. */
function gate() {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { work: () => promise, open: resolve, fail: reject };
}

describe("a keyed mutex", () => {
  test("runs work of one key in the order of the calls, and goes on after work that failed", async () => {
    const mutex = new KeyedMutex();
    const { work, fail } = gate();
    const order: string[] = [];
    const first = mutex.run("a", async () => {
      order.push("first");
      await work();
    });
    const second = mutex.run("a", async () => order.push("second"));
    await mutex.run("b", async () => order.push("other key"));
    fail(new Error("no"));
    await expect(first).rejects.toThrow("no");
    await second;
    expect(order).toEqual(["first", "other key", "second"]);
  });

  test("refuses what is more than its bound", async () => {
    const mutex = new KeyedMutex({ maxWaiting: 1 });
    const { work, open } = gate();
    const first = mutex.run("a", work);
    await expect(mutex.run("a", work)).rejects.toThrow(BusyError);
    open();
    await first;
    await expect(mutex.run("a", async () => "runs")).resolves.toBe("runs");
  });

  test("refuses nothing without a bound", async () => {
    const mutex = new KeyedMutex({ maxWaiting: null });
    const { work, open } = gate();
    const all = Array.from({ length: 1_000 }, () => mutex.run("a", work));
    open();
    await expect(Promise.all(all)).resolves.toHaveLength(1_000);
  });

  test("is settled when all work that was asked for before has ended", async () => {
    const mutex = new KeyedMutex();
    await mutex.settled();
    const { work, open } = gate();
    const failing = gate();
    let isSettled = false;
    const runs = [mutex.run("a", work), mutex.run("a", async () => undefined), mutex.run("b", failing.work)];
    const settled = mutex.settled().then(() => {
      isSettled = true;
    });
    open();
    await Promise.all(runs.slice(0, 2));
    expect(isSettled).toBe(false);
    failing.fail(new Error("no"));
    await expect(runs[2]).rejects.toThrow("no");
    await settled;
    expect(isSettled).toBe(true);
  });
});
