/** What a budget knows of time passing, over runs of a gateway whose clock may be wrong. */
import { setImmediate as settled } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { BudgetWorld, DAY_MS, HOUR_MS, MINUTE_MS, makeRule, sendAll } from "./budget-world.ts";

describe("a clock that was wrong", () => {
  test("is forgotten once it is right, however often the power goes after that", async () => {
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

  test("all the time counts the time that it ran", async () => {
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

  test("of a run that was cut short hides no hours of the dark before it", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, windowMs: DAY_MS })]);
    expect(await sendAll(world.start().budget)).toBe(10);
    world.trueMs += 20 * HOUR_MS;
    world.quality = "unset";
    const second = world.start();
    await second.budget.take({}).then((taken) => taken.isTaken && taken.settle(true));
    second.budget.rest(HOUR_MS);
    await settled();
    world.trueMs += 5 * HOUR_MS;
    world.quality = "synced";
    const { budget } = world.start();
    // What the second run asked, and may have asked, may be as new as that; so is its pause.
    expect(budget.left()).toMatchObject([{ left: 8 }]);
    expect(budget.restUntilMs).toBe(HOUR_MS);
  });
});

test("nothing counts for longer than it has to, however often the gateway is started meanwhile", async () => {
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
