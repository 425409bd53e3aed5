/** The whole gateway in a simulated house: the same seed gives the same run, and every invariant holds in it. */
import { expect, test } from "vitest";
import { ADAPTERS } from "../../src/cli/adapters.ts";
import { SHORTEST_RUN_MS } from "./fault-script.ts";
import { SEEDS_THAT_FAILED } from "./seeds.ts";
import { simulate } from "./simulation.ts";
import { unfiredClasses } from "./simulation-text.ts";

const SHORT_HOURS = SHORTEST_RUN_MS / 3_600_000;
const TIMEOUT_MS = 60_000;

const run = (seed: number, hours: number) => simulate({ seed, hours, adapters: ADAPTERS });

test(
  "the same seed gives the same event log, in which every fault struck and every invariant held",
  async () => {
    const first = await run(7, SHORT_HOURS);
    expect(first.breaches).toEqual([]);
    expect(unfiredClasses(first)).toEqual([]);
    expect(first.readings).toBeGreaterThan(10_000);
    expect(first.commands).toBeGreaterThan(3);
    expect(first.comparisons).toBeGreaterThan(200);
    expect(await run(7, SHORT_HOURS)).toEqual(first);
  },
  TIMEOUT_MS,
);

test(
  "another seed gives another simulated run",
  async () => {
    const [one, other] = [await run(1, 0.05), await run(2, 0.05)];
    expect(one.hash).not.toBe(other.hash);
  },
  TIMEOUT_MS,
);

test.each([12])(
  "every invariant holds with seed %i",
  async (seed) => {
    const result = await run(seed, SHORT_HOURS);
    expect(result.breaches).toEqual([]);
    expect(unfiredClasses(result)).toEqual([]);
  },
  TIMEOUT_MS,
);

test.each(SEEDS_THAT_FAILED.map(({ seed, found }) => [seed, found] as const))(
  "seed %i, which once found: %s",
  async (seed) => {
    expect((await run(seed, SHORT_HOURS)).breaches).toEqual([]);
  },
  TIMEOUT_MS,
);
