import { describe, expect, test } from "vitest";
import { VIRTUAL_START_MS } from "../../../../../src/testing/virtual-clock.ts";
import { BudgetWorld, DAY_MS, HOUR_MS, MINUTE_MS, makeRule, sendAll } from "../budget-world.ts";

describe("a budget", () => {
  test("is used up to its limit, and again when units come back", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, windowMs: HOUR_MS })]);
    const { budget } = world.start();
    expect(await sendAll(budget)).toBe(10);
    const refused = await budget.take({});
    expect(refused).toMatchObject({ isTaken: false, because: "its budget requests is spent" });
    expect(budget.nextPollAtMs()).toBe(HOUR_MS);
    world.trueMs = HOUR_MS - 1;
    expect(await sendAll(budget)).toBe(0);
    world.trueMs = HOUR_MS;
    expect(await sendAll(budget)).toBe(10);
  });

  test("keeps units for commands and logins, and what these used is not kept twice", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, reserved: { command: 3, login: 2 } })]);
    const { budget } = world.start();
    const command = await budget.take({ purpose: "command" });
    if (command.isTaken) command.settle(true);
    expect(await sendAll(budget)).toBe(5);
    expect(await sendAll(budget, { purpose: "command" })).toBe(2);
    expect(await sendAll(budget, { purpose: "login" })).toBe(2);
    expect(budget.left()).toMatchObject([{ budget: "requests", limit: 10, left: 0, forPolls: 0 }]);
  });

  test("takes what a request costs, and nothing of a budget that it does not touch", async () => {
    const world = new BudgetWorld([makeRule({ name: "a", limit: 10 }), makeRule({ name: "b", limit: 10 })]);
    const { budget } = world.start();
    expect(await sendAll(budget, { cost: { a: 4, b: 0 } })).toBe(2);
    expect(budget.left()).toMatchObject([{ left: 2 }, { left: 10 }]);
  });

  test("is not touched by logins that are asked for elsewhere", async () => {
    const world = new BudgetWorld([makeRule({ limit: 3, isWithoutLogins: true })]);
    const { budget } = world.start();
    for (let logins = 0; logins < 5; logins += 1) {
      expect(await budget.take({ purpose: "login" })).toMatchObject({ isTaken: true });
    }
    expect(await sendAll(budget)).toBe(3);
  });

  test("is each subject's own where the vendor counts so", async () => {
    const world = new BudgetWorld([makeRule({ limit: 2, scope: "subject" })]);
    const { budget } = world.start();
    expect(await sendAll(budget, { subject: "site 1" })).toBe(2);
    expect(await sendAll(budget, { subject: "site 2" })).toBe(2);
    expect(budget.left().map(({ subject, left }) => [subject, left])).toEqual([
      ["site 1", 0],
      ["site 2", 0],
    ]);
    world.trueMs += MINUTE_MS;
    const { budget: next } = world.start();
    expect(await sendAll(next, { subject: "site 1" })).toBe(0);
  });

  test("of a day opens at midnight UTC, with a margin for two clocks", async () => {
    const world = new BudgetWorld([makeRule({ limit: 3, window: "day" })]);
    const { budget } = world.start();
    const midnightMs = DAY_MS - (VIRTUAL_START_MS % DAY_MS);
    world.trueMs = midnightMs - 2 * HOUR_MS;
    expect(await sendAll(budget)).toBe(3);
    world.trueMs = midnightMs;
    expect(await sendAll(budget)).toBe(0);
    world.trueMs = midnightMs + 2 * MINUTE_MS;
    expect(await sendAll(budget)).toBe(3);
  });

  test("of a day slides while the clock was never set", async () => {
    const world = new BudgetWorld([makeRule({ limit: 3, window: "day" })]);
    world.quality = "unset";
    const { budget } = world.start();
    world.trueMs = 20 * HOUR_MS;
    expect(await sendAll(budget)).toBe(3);
    world.trueMs = 44 * HOUR_MS - 1;
    expect(await sendAll(budget)).toBe(0);
    world.trueMs = 44 * HOUR_MS;
    expect(await sendAll(budget)).toBe(3);
  });

  test("gives back what was never sent", async () => {
    const world = new BudgetWorld([makeRule({ limit: 1 })]);
    const { budget } = world.start();
    const taken = await budget.take({});
    if (taken.isTaken) taken.settle(false);
    expect(await sendAll(budget)).toBe(1);
  });

  test("gives nothing that the disk does not know of", async () => {
    const world = new BudgetWorld([makeRule()]);
    world.stores.account.beforePut = () => Promise.reject(new Error("the disk is full"));
    const { budget } = world.start();
    expect(await budget.take({})).toMatchObject({ isTaken: false, because: "the disk refuses to keep count" });
    world.stores.account.beforePut = async () => undefined;
    expect(await sendAll(budget)).toBe(10);
  });

  test("is written once for many requests", async () => {
    const world = new BudgetWorld([
      makeRule({ limit: 9_600 }),
      makeRule({ name: "burst", limit: 100, windowMs: MINUTE_MS }),
    ]);
    const { budget } = world.start();
    for (let request = 0; request < 100; request += 1) {
      const taken = await budget.take({});
      if (taken.isTaken) taken.settle(true);
    }
    expect(world.stores.account.puts).toBe(1);
  });

  test("loses nothing in an orderly restart, and knows how long it was away", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, windowMs: DAY_MS })]);
    const first = world.start();
    await first.budget.take({}).then((taken) => taken.isTaken && taken.settle(true));
    await first.account.close();
    world.trueMs += 23 * HOUR_MS;
    expect(await sendAll(world.start().budget)).toBe(9);
    const third = world.start();
    world.trueMs += 2 * HOUR_MS;
    expect(third.budget.left()).toMatchObject([{ left: 1 }]);
  });

  test("that cannot be read leaves only what is kept for commands and logins", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, reserved: { command: 2, login: 1 } })]);
    world.stores.account.texts.set("budget", '{"counts":');
    const { budget } = world.start();
    expect(await sendAll(budget)).toBe(0);
    expect(await sendAll(budget, { purpose: "command" })).toBe(2);
    expect(world.log.texts("warn")).toHaveLength(1);
  });

  test("of the registration is shared by its accounts", async () => {
    const rule = makeRule({ limit: 4, scope: "app" });
    const world = new BudgetWorld([rule]);
    const { budget, app } = world.start();
    expect(await sendAll(budget)).toBe(4);
    expect(app.count(rule, null).left("poll", app.now())).toBe(0);
  });
});

describe("what the vendor says of its count", () => {
  test("lowers what is left, until the vendor starts anew", async () => {
    const world = new BudgetWorld([makeRule({ limit: 100 })]);
    const { budget } = world.start();
    budget.learn([{ budget: "requests", left: 3, resetsInMs: HOUR_MS }], undefined);
    expect(await sendAll(budget)).toBe(3);
    world.trueMs = HOUR_MS;
    expect(await sendAll(budget)).toBe(97);
  });

  test("holds until then, although what was spent here counts no more before", async () => {
    const world = new BudgetWorld([makeRule({ limit: 100, windowMs: HOUR_MS })]);
    const { budget } = world.start();
    for (let sent = 0; sent < 20; sent += 1) {
      const taken = await budget.take({});
      if (taken.isTaken) taken.settle(true);
    }
    world.trueMs = 50 * MINUTE_MS;
    budget.learn([{ budget: "requests", left: 0, resetsInMs: 40 * MINUTE_MS }], undefined);
    world.trueMs = 89 * MINUTE_MS;
    expect(await sendAll(budget)).toBe(0);
    world.trueMs = 90 * MINUTE_MS;
    expect(await sendAll(budget)).toBe(100);
  });

  test("is known after a power cut when nothing is left", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10 })]);
    world.start().budget.learn([{ budget: "requests", left: 0, resetsInMs: HOUR_MS }], undefined);
    await Promise.resolve();
    world.trueMs += HOUR_MS / 2;
    expect(await sendAll(world.start().budget)).toBe(0);
    world.trueMs += HOUR_MS / 2 + 2 * MINUTE_MS;
    expect(await sendAll(world.start().budget)).toBeGreaterThan(0);
  });

  test("counts what others spent once, however often the vendor tells", async () => {
    const world = new BudgetWorld([makeRule({ limit: 100, windowMs: HOUR_MS })]);
    const { budget } = world.start();
    for (const [minute, lateMs] of [0, 400, -300, 20_000, 0].entries()) {
      world.trueMs = minute * MINUTE_MS;
      budget.learn([{ budget: "requests", left: 40, resetsInMs: HOUR_MS / 2 - world.trueMs + lateMs }], undefined);
    }
    expect(await sendAll(budget)).toBe(40);
  });

  test("never raises what is left", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10 })]);
    const { budget } = world.start();
    await sendAll(budget);
    budget.learn([{ budget: "requests", left: 10 }], undefined);
    expect(await sendAll(budget)).toBe(0);
  });

  test("raises it where it is the vendor's own count, for the reads that were planned with less", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10 })]);
    const { budget } = world.start();
    await sendAll(budget);
    const { windfalls } = budget;
    budget.learn([{ budget: "requests", left: 7, isItsCount: true }], undefined);
    expect(budget.windfalls).toBeGreaterThan(windfalls);
    expect(await sendAll(budget)).toBe(7);
    budget.learn([{ budget: "requests", left: 0, isItsCount: true }], undefined);
    expect(budget.windfalls).toBe(windfalls + 1);
  });

  test("says nothing of what was under way meanwhile", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10 })]);
    const { budget } = world.start();
    for (let sent = 0; sent < 4; sent += 1) {
      const taken = await budget.take({});
      if (taken.isTaken) taken.settle(true);
    }
    const answered = await budget.take({});
    const underWay = await budget.take({});
    budget.learn([{ budget: "requests", left: 9, isItsCount: true }], undefined);
    for (const taken of [answered, underWay]) if (taken.isTaken) taken.settle(true);
    // The vendor counts two at least; whether it had counted the other one nobody knows.
    expect(budget.left()).toMatchObject([{ left: 7 }]);
  });

  test("leaves more than was foreseen once a time source sets the clock", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10, window: "day" })]);
    await sendAll(world.start().budget);
    world.quality = "restored";
    world.trueMs += 2 * DAY_MS;
    const { budget } = world.start();
    const { windfalls } = budget;
    expect(budget.left()).toMatchObject([{ left: 0 }]);
    world.quality = "synced";
    expect(budget.windfalls).toBeGreaterThan(windfalls);
    expect(budget.nextPollAtMs()).toBeLessThanOrEqual(world.clock.monotonicMs());
  });

  test("changes the limit, over restarts, for a window", async () => {
    const world = new BudgetWorld([makeRule({ limit: 10 })]);
    const { budget, account } = world.start();
    budget.learn([{ budget: "requests", limit: 20 }], undefined);
    expect(await sendAll(budget)).toBe(20);
    await account.close();
    world.trueMs += MINUTE_MS;
    expect(world.start().budget.left()).toMatchObject([{ limit: 20, left: 0 }]);
    world.trueMs += 2 * DAY_MS;
    expect(await sendAll(world.start().budget)).toBe(10);
  });

  test.each([{ limit: Number.NaN }, { left: Number.NaN }, { limit: -1 }, { left: Number.POSITIVE_INFINITY }])(
    "is no news when it is %j",
    async (news) => {
      const world = new BudgetWorld([makeRule({ limit: 10 })]);
      const { budget } = world.start();
      budget.learn(
        [
          { budget: "requests", ...news },
          { budget: "unknown", left: 0 },
        ],
        undefined,
      );
      expect(await sendAll(budget)).toBe(10);
    },
  );

  test("makes a pause that a restart does not end", async () => {
    const world = new BudgetWorld([makeRule()]);
    world.start().budget.limited({}, HOUR_MS);
    await Promise.resolve();
    world.trueMs += HOUR_MS / 2;
    const { budget } = world.start();
    expect(await budget.take({ purpose: "login" })).toMatchObject({
      isTaken: false,
      because: "the vendor wants a pause",
    });
    world.trueMs += HOUR_MS / 2 + 2 * MINUTE_MS;
    expect(await budget.take({})).toMatchObject({ isTaken: true });
  });

  test.each([
    { what: "tells how long, and counts by the day", windowMs: DAY_MS, reportedMs: MINUTE_MS, atMostMs: 5 * MINUTE_MS },
    { what: "does not tell, and counts by the minute", windowMs: MINUTE_MS, reportedMs: null, atMostMs: 5 * MINUTE_MS },
    { what: "does not tell, and counts by the day", windowMs: DAY_MS, reportedMs: null, atMostMs: HOUR_MS },
  ])("makes pauses of a fitting length where it $what", ({ windowMs, reportedMs, atMostMs }) => {
    const world = new BudgetWorld([makeRule({ windowMs }), makeRule({ name: "settings" })]);
    const { budget } = world.start();
    let pausedMs = 0;
    for (let times = 0; times < 12; times += 1) {
      budget.limited({ cost: { settings: 0 } }, reportedMs);
      pausedMs = budget.pauseMs;
      world.trueMs += pausedMs + 1;
    }
    expect(pausedMs).toBeGreaterThanOrEqual(atMostMs / 2);
    expect(pausedMs).toBeLessThanOrEqual(atMostMs);
  });
});
