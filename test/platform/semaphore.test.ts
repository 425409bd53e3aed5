import { describe, expect, it } from "vitest";
import { createSemaphore } from "../../src/platform/semaphore.ts";

const overfull = () => new Error("too many wait");

describe("a semaphore", () => {
  it("runs no more work at once than allowed, in the order of arrival", async () => {
    const semaphore = createSemaphore({ atOnce: 2, maxWaiting: 10, overfull });
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const runs = gates.map((gate, index) =>
      semaphore.run(async () => {
        begun.push(index);
        await gate.promise;
      }),
    );
    expect(begun).toEqual([0, 1]);
    gates[1]!.resolve();
    await runs[1];
    expect(begun).toEqual([0, 1, 2]);
    for (const gate of gates) gate.resolve();
    await Promise.all(runs);
    expect(begun).toEqual([0, 1, 2, 3]);
  });

  it("goes on after work that fails", async () => {
    const semaphore = createSemaphore({ atOnce: 1, maxWaiting: 1, overfull });
    const failed = semaphore.run(() => Promise.reject(new Error("no")));
    const next = semaphore.run(async () => "done");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("done");
  });

  it("runs work that is ahead before work that waits already, and counts the two separately", async () => {
    const semaphore = createSemaphore({ atOnce: 1, maxWaiting: 1, overfull });
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const runs = [
      semaphore.run(() => gate.promise),
      semaphore.run(async () => void begun.push("behind")),
      semaphore.run(async () => void begun.push("ahead"), true),
    ];
    gate.resolve();
    await Promise.all(runs);
    expect(begun).toEqual(["ahead", "behind"]);
  });

  it("refuses work when too much waits", async () => {
    const semaphore = createSemaphore({ atOnce: 1, maxWaiting: 1, overfull });
    const gate = Promise.withResolvers<void>();
    const first = semaphore.run(() => gate.promise);
    const second = semaphore.run(async () => {});
    await expect(semaphore.run(async () => {})).rejects.toThrow("too many wait");
    gate.resolve();
    await Promise.all([first, second]);
  });
});
