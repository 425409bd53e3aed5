import { describe, expect, it } from "vitest";
import { createTurns } from "../../../src/api/requests/turns.ts";

describe("turns", () => {
  it("run no more at once than allowed, in the order they came", async () => {
    const turns = createTurns({ atOnce: 2, maxWaiting: 10 });
    const gates = Array.from({ length: 4 }, () => Promise.withResolvers<void>());
    const begun: number[] = [];
    const runs = gates.map((gate, index) =>
      turns.run(async () => {
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

  it("go on after work that fails", async () => {
    const turns = createTurns({ atOnce: 1, maxWaiting: 1 });
    const failed = turns.run(() => Promise.reject(new Error("no")));
    const next = turns.run(async () => "done");
    await expect(failed).rejects.toThrow("no");
    expect(await next).toBe("done");
  });

  it("that are ahead come before those who wait already, and are counted apart", async () => {
    const turns = createTurns({ atOnce: 1, maxWaiting: 1 });
    const gate = Promise.withResolvers<void>();
    const begun: string[] = [];
    const runs = [
      turns.run(() => gate.promise),
      turns.run(async () => void begun.push("behind")),
      turns.run(async () => void begun.push("ahead"), true),
    ];
    gate.resolve();
    await Promise.all(runs);
    expect(begun).toEqual(["ahead", "behind"]);
  });

  it("are refused when too many wait", async () => {
    const turns = createTurns({ atOnce: 1, maxWaiting: 1 });
    const gate = Promise.withResolvers<void>();
    const first = turns.run(() => gate.promise);
    const second = turns.run(async () => {});
    await expect(turns.run(async () => {})).rejects.toMatchObject({ slug: "service-unavailable" });
    gate.resolve();
    await Promise.all([first, second]);
  });
});
