import { afterEach, describe, expect, test, vi } from "vitest";
import { World } from "../../src/testing/world.ts";
import { breachText, LongRun } from "./long-run.ts";
import { seedsOf } from "./seeds.ts";

const START_MS = Date.UTC(2026, 5, 21);

function begin(options: { readonly maxBreaches?: number; readonly onBreach?: (breach: string) => void } = {}) {
  const world = new World({ seed: 1, startMs: START_MS });
  const run = new LongRun(world, options);
  const seen: [what: string, atMs: number][] = [];
  const see = (what: string): void => void seen.push([what, world.clock.monotonicMs()]);
  return { world, run, seen, see };
}

describe("a long run", () => {
  test("runs events and checks at their times, those of one instant in the order of the plan", async () => {
    const { run, seen, see } = begin();
    run.every(1_000, () => [see("check")].flatMap(() => []));
    run.at(2_000, async () => see("event"));
    await run.live(2_500);
    expect(seen).toEqual([
      ["check", 1_000],
      ["event", 2_000],
      ["check", 2_000],
    ]);
  });

  test("repeats a check a period after it ended, or at whole periods", async () => {
    const { world, run, seen, see } = begin();
    const slow = (what: string) => async (): Promise<readonly string[]> => {
      see(what);
      await world.clock.advance(300);
      return [];
    };
    run.every(1_000, slow("after"), { afterMs: 0, times: 2 });
    await run.live();
    expect(seen).toEqual([
      ["after", 0],
      ["after", 1_300],
    ]);
    expect(world.clock.monotonicMs()).toBe(2_600);
    seen.length = 0;
    run.every(1_000, slow("whole"), { afterMs: 400, times: 2, isAligned: true });
    await run.live();
    expect(seen).toEqual([
      ["whole", 3_000],
      ["whole", 4_000],
    ]);
  });

  test("ends at the first breach, with the true time of it and the events before it", async () => {
    const { world, run } = begin();
    world.events.add("cause", 7);
    world.clock.setWallMs(0);
    run.every(1_000, (turn) => (turn === 2 ? ["the value is wrong"] : []));
    await run.live(60_000);
    const report = run.report();
    expect(report).toMatchObject({ breaches: ["2026-06-21T00:00:03.000Z: the value is wrong"], events: 1 });
    expect(report.lastEvents).toEqual(["0 cause 7"]);
    expect(breachText(report, "SEEDS=3 npm run suite x")).toBe(
      "\n  0 cause 7\n\nBROKEN at 2026-06-21T00:00:03.000Z: the value is wrong\nrun it again: SEEDS=3 npm run suite x",
    );
  });

  test("goes on until it has found as many breaches as it may", async () => {
    const breaches: string[] = [];
    const { run } = begin({ maxBreaches: 3, onBreach: (breach) => breaches.push(breach) });
    run.every(1_000, (turn) => [`breach ${turn}`]);
    await run.live(60_000);
    expect(breaches).toHaveLength(3);
    expect(run.report().breaches).toEqual(breaches);
  });
});

describe("the seeds of a variable", () => {
  afterEach(() => void vi.unstubAllEnvs());

  test.each([
    ["3", [3]],
    ["1,2, 7", [1, 2, 7]],
    ["1-3,9", [1, 2, 3, 9]],
  ])("are a number, a list or a range: %s", (text, seeds) => {
    vi.stubEnv("TEST_SEEDS", text);
    expect(seedsOf("TEST_SEEDS", "1")).toEqual(seeds);
  });

  test.each(["", "x", "3-1", "1..3", "-1"])("are refused with what is expected: %j", (text) => {
    vi.stubEnv("TEST_SEEDS", text);
    expect(() => seedsOf("TEST_SEEDS", "1")).toThrow(`TEST_SEEDS=${text}: expected 3, 1,2 or 1-10`);
  });

  test("are the usual ones if the variable is not set", () => {
    expect(seedsOf("TEST_SEEDS", "1-2")).toEqual([1, 2]);
  });
});
