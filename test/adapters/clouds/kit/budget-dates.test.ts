/** How quotas count time over runs of a gateway whose clock may be wrong. */
import { setImmediate as settled } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { BudgetWorld, DAY_MS, HOUR_MS, MINUTE_MS, makeRule, sendAll } from "./budget-world.ts";

describe("a clock that was wrong", () => {
  test("does not matter once it is right, however often the power fails after that", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, windowMs: DAY_MS })]);
    world.quality = "unset";
    expect(await sendAll(world.start().budget)).toBe(10);
    for (let hours = 0; hours < 24; hours += 8) {
      world.quality = "unset";
      const { budget } = world.start();
      world.trueMs += HOUR_MS;
      world.quality = "synced";
      expect(budget.left()).toHaveLength(1);
      await settled();
      world.trueMs += 7 * HOUR_MS;
    }
    world.trueMs += HOUR_MS;
    expect(world.start().budget.left()).toMatchObject([{ left: 10 }]);
  });

  test("in each run makes quotas count the time that the gateway ran", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, windowMs: DAY_MS })]);
    world.quality = "unset";
    expect(await sendAll(world.start().budget)).toBe(10);
    for (let hours = 0; hours <= 24; hours += 2) {
      const { budget } = world.start();
      world.trueMs += 2 * HOUR_MS;
      budget.left();
      await settled();
    }
    expect(world.start().budget.left()).toMatchObject([{ left: 10 }]);
  });

  test("makes quotas count the hours that the gateway was off once it is right", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, windowMs: DAY_MS })]);
    expect(await sendAll(world.start().budget)).toBe(10);
    world.trueMs += 20 * HOUR_MS;
    world.quality = "unset";
    const { budget } = world.start();
    budget.pause(HOUR_MS);
    expect(budget.left()).toMatchObject([{ left: 0 }]);
    world.trueMs += HOUR_MS / 2;
    world.quality = "synced";
    // The two units that may have been spent after the last write may be as new as the start; so is the pause.
    expect(budget.pauseMs).toBe(HOUR_MS / 2);
    world.trueMs += 4 * HOUR_MS;
    expect(budget.left()).toMatchObject([{ left: 8 }]);
  });

  test("makes a vendor silent for one window at most, when it was wrong in a run that wrote", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, windowMs: DAY_MS })]);
    expect(await sendAll(world.start().budget)).toBe(10);
    world.trueMs += 20 * HOUR_MS;
    world.quality = "unset";
    world.start().budget.pause(MINUTE_MS);
    await settled();
    world.quality = "synced";
    const { budget } = world.start();
    world.trueMs += DAY_MS - MINUTE_MS;
    expect(budget.left()).toMatchObject([{ left: 0 }]);
    world.trueMs += MINUTE_MS;
    expect(budget.left()).toMatchObject([{ left: 10 }]);
  });
});

test("Counts that cannot be read are assumed to be used up for one window, over restarts with a wrong clock too", async () => {
  const world = new BudgetWorld([makeRule({ limit: 10, windowMs: DAY_MS })]);
  world.stores.account.texts.set("budget", "{");
  world.quality = "unset";
  for (let hours = 0; hours < 24; hours += 8) {
    const { budget } = world.start();
    expect(budget.left()).toMatchObject([{ left: 0 }]);
    await settled();
    world.trueMs += 8 * HOUR_MS;
    budget.left();
    await settled();
  }
  expect(world.start().budget.left()).toMatchObject([{ left: 10 }]);
});

test("No unit counts for longer than it has to, however often the gateway is started meanwhile", async () => {
  const world = new BudgetWorld([makeRule({ limit: 300, windowMs: DAY_MS })]);
  for (let minutes = 0; minutes < 240; minutes += 5) {
    const { budget, account } = world.start();
    await budget.take({}).then((taken) => taken.isTaken && taken.settle(true));
    world.trueMs += 5 * MINUTE_MS;
    await account.close();
  }
  // Of the first hour what does not count as one with a later part of its half hour, and a minute that clocks may differ.
  world.trueMs += DAY_MS - 3 * HOUR_MS + 2 * MINUTE_MS;
  const { budget } = world.start();
  expect(budget.left()[0]?.left).toBeGreaterThanOrEqual(300 - 48 + 6);
  expect(budget.left()[0]?.left).toBeLessThanOrEqual(300 - 48 + 13);
});
