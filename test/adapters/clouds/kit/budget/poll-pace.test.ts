import { describe, expect, test } from "vitest";
import type { PollBudget } from "../../../../../adapters/clouds/kit/budget/poll-budget.ts";
import { type PacedDevice, PollPace } from "../../../../../adapters/clouds/kit/budget/poll-pace.ts";
import type { BudgetRule, Tempo } from "../../../../../adapters/clouds/kit/connector.ts";
import { VIRTUAL_START_MS } from "../../../../../src/testing/virtual-clock.ts";
import { BudgetWorld, DAY_MS, HOUR_MS, MINUTE_MS, makeRule } from "../budget-world.ts";

/** How far the vendor's midnight may be from ours. */
const MIDNIGHT_MS = 90_000;
const PACE = { active: MINUTE_MS, usual: 5 * MINUTE_MS, idle: HOUR_MS };

function makePace(rules: readonly BudgetRule[]) {
  const world = new BudgetWorld(rules);
  const { budget, account } = world.start();
  const pace = new PollPace({ pace: PACE, clock: world.clock, random: { next: () => 0 } });
  const device = (tempo: Tempo, cost = {}, subject: string | null = null): PacedDevice => {
    const paced = { budget, cost, subject, tempo: () => tempo };
    pace.join(paced);
    return paced;
  };
  return { world, budget, account, pace, device };
}

async function spend(budget: PollBudget, units: number): Promise<void> {
  const taken = await budget.take({ cost: { requests: units } });
  if (taken.isTaken) taken.settle(true);
}

describe("a device is read", () => {
  test.each(["active", "usual", "idle"] as const)("at the pace of its tempo where the budget allows: %s", (tempo) => {
    const { pace, device } = makePace([makeRule({ limit: 10_000 })]);
    expect(pace.nextMs(device(tempo))).toBe(PACE[tempo]);
  });

  test("as often as the budget lasts for, without what is kept for others", () => {
    const { pace, device } = makePace([makeRule({ limit: 110, reserved: { command: 8, login: 2 } })]);
    expect(pace.nextMs(device("active"))).toBeCloseTo(DAY_MS / 100);
  });

  test("more seldom where others draw on the same budget, by their cost", () => {
    const { pace, device } = makePace([makeRule({ limit: 100 })]);
    const one = device("active", { requests: 1 });
    device("active", { requests: 2 });
    expect(pace.nextMs(one)).toBeCloseTo((3 * DAY_MS) / 100);
  });

  test("with what those leave that want less", () => {
    const { pace, device } = makePace([makeRule({ limit: 100 })]);
    const one = device("active");
    device("idle");
    expect(pace.nextMs(one)).toBeCloseTo(DAY_MS / (100 - DAY_MS / PACE.idle));
  });

  test("as if alone when the others left", () => {
    const { pace, budget, device } = makePace([makeRule({ limit: 100 })]);
    const one = device("active");
    pace.join({ budget, cost: {}, subject: null, tempo: () => "active" })[Symbol.dispose]();
    expect(pace.nextMs(one)).toBeCloseTo(DAY_MS / 100);
  });

  test("without a thought for other subjects where each has a budget of its own", () => {
    const { pace, device } = makePace([makeRule({ limit: 100, scope: "subject" })]);
    const one = device("active", {}, "site 1");
    device("active", {}, "site 2");
    expect(pace.nextMs(one)).toBeCloseTo(DAY_MS / 100);
  });

  test("so that what is left lasts until midnight, and faster again in the new day", async () => {
    const { world, budget, pace, device } = makePace([makeRule({ limit: 100, window: "day" })]);
    const one = device("active");
    const midnightMs = DAY_MS - (VIRTUAL_START_MS % DAY_MS);
    world.trueMs = midnightMs - 12 * HOUR_MS;
    await spend(budget, 90);
    expect(pace.nextMs(one)).toBeCloseTo((12 * HOUR_MS + MIDNIGHT_MS) / 10);
    world.trueMs = midnightMs + HOUR_MS;
    expect(pace.nextMs(one)).toBeCloseTo((23 * HOUR_MS + MIDNIGHT_MS) / 100);
  });

  test.each([
    ["day", Date.UTC(2026, 5, 22)],
    ["month", Date.UTC(2026, 6, 1)],
  ] as const)(
    "right after the end of a %s as then, and not with what was left of the old one",
    async (window, endMs) => {
      const { world, budget, pace, device } = makePace([makeRule({ limit: 100, window })]);
      const one = device("usual");
      const midnightMs = endMs - VIRTUAL_START_MS;
      world.trueMs = midnightMs - 3 * HOUR_MS;
      await spend(budget, 97);
      for (let afterMs = 0; afterMs < MIDNIGHT_MS; afterMs += 10_000) {
        world.trueMs = midnightMs + afterMs;
        expect(pace.nextMs(one)).toBe(PACE.usual);
      }
      world.trueMs = midnightMs + MIDNIGHT_MS;
      expect(pace.nextMs(one)).toBeGreaterThan(PACE.usual);
    },
  );

  test("so that what is left lasts until a sliding window gives units back", async () => {
    const { world, budget, pace, device } = makePace([makeRule({ limit: 100 })]);
    const one = device("active");
    await spend(budget, 90);
    world.trueMs = 4 * HOUR_MS;
    expect(pace.nextMs(one)).toBeCloseTo((20 * HOUR_MS) / 10);
  });

  test("as soon as units come back, where less is left than all want for one read", async () => {
    const { world, budget, pace, device } = makePace([makeRule({ limit: 100 })]);
    const one = device("active", { requests: 2 });
    device("active", { requests: 2 });
    await spend(budget, 99);
    world.trueMs = 4 * HOUR_MS;
    expect(pace.nextMs(one)).toBeCloseTo(20 * HOUR_MS);
  });

  test("in the new day, where the one that ends has nothing left", async () => {
    const { world, budget, pace, device } = makePace([makeRule({ limit: 100, window: "day" })]);
    const one = device("active");
    device("active");
    device("active");
    const midnightMs = DAY_MS - (VIRTUAL_START_MS % DAY_MS);
    world.trueMs = midnightMs - 12 * HOUR_MS;
    await spend(budget, 100);
    const afterMidnightMs = pace.nextMs(one) - 12 * HOUR_MS;
    expect(afterMidnightMs).toBeGreaterThanOrEqual(0);
    expect(afterMidnightMs).toBeLessThan(5 * MINUTE_MS);
  });

  test("not before the vendor's pause is over", () => {
    const { budget, pace, device } = makePace([makeRule({ limit: 10_000 })]);
    budget.limited({}, 3 * HOUR_MS);
    expect(pace.nextMs(device("active"))).toBe(3 * HOUR_MS);
  });

  test("never faster than the fastest pace, and later by chance only", () => {
    const { world, budget } = makePace([makeRule({ limit: 10_000 })]);
    const pace = new PollPace({ pace: PACE, clock: world.clock, random: world.random });
    const device = { budget, cost: {}, subject: null, tempo: () => "active" as const };
    const periods = Array.from({ length: 200 }, () => pace.nextMs(device));
    expect(Math.min(...periods)).toBeGreaterThanOrEqual(PACE.active);
    expect(new Set(periods).size).toBeGreaterThan(100);
  });

  test("and a day of it never meets a refusal", async () => {
    const { world, budget, pace, device } = makePace([makeRule({ limit: 100, reserved: { command: 10, login: 0 } })]);
    const one = device("active");
    let reads = 0;
    while (world.trueMs < 5 * DAY_MS) {
      const taken = await budget.take({});
      if (!taken.isTaken) throw new Error(`refused at ${world.trueMs}: ${taken.because}`);
      taken.settle(true);
      reads += 1;
      world.trueMs += pace.nextMs(one);
    }
    expect(reads).toBeGreaterThan(5 * 80);
  });
});
