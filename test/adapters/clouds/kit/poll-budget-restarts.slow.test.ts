/** However often the gateway dies, and whatever its wall clock shows, the vendor never counts more than its limit. */
import { describe, expect, test } from "vitest";
import type { PollBudget } from "../../../../adapters/clouds/kit/budget/poll-budget.ts";
import type { BudgetRule, Purpose } from "../../../../adapters/clouds/kit/connector.ts";
import { SeededRandom } from "../../../../src/testing/seeded-random.ts";
import { BudgetWorld, DAY_MS, HOUR_MS, MINUTE_MS, makeRule } from "./budget-world.ts";
import { VendorCount } from "./vendor-count.ts";

const STEPS = 250;
/** How far a clock that a time source keeps may be off. */
const SYNCED_ERROR_MS = 20_000;

const RULES: readonly [BudgetRule, ...BudgetRule[]] = [
  makeRule({ name: "minute", limit: 5, windowMs: MINUTE_MS }),
  makeRule({ name: "hour", limit: 12, windowMs: HOUR_MS, scope: "app" }),
  makeRule({ name: "sliding-day", limit: 40, windowMs: DAY_MS, reserved: { command: 5, login: 2 } }),
  makeRule({ name: "day", limit: 30, window: "day", windowMs: DAY_MS }),
  makeRule({ name: "month", limit: 60, window: "month", windowMs: 30 * DAY_MS, reserved: { command: 6, login: 0 } }),
];

/** One life of gateways at one vendor. */
class Life {
  readonly #random: SeededRandom;
  readonly #world: BudgetWorld;
  readonly #counts: readonly VendorCount[];
  #run: ReturnType<BudgetWorld["start"]>;
  #wrongUntilMs = Number.POSITIVE_INFINITY;
  refusals = 0;

  constructor(seed: number) {
    this.#random = new SeededRandom(seed);
    const first = this.#random.pick(RULES);
    const rules = [...new Set([first, this.#random.pick(RULES)])];
    this.#world = new BudgetWorld(rules);
    this.#counts = rules.map((rule) => new VendorCount(rule));
    const { account, app } = this.#world.stores;
    account.beforePut = app.beforePut = async () => {
      if (this.#random.isChance(0.05)) throw new Error("the disk is full");
    };
    this.#run = this.#world.start();
  }

  /** What the vendor counted at most, beside its limit. */
  get crossings(): readonly string[] {
    return this.#world.rules.flatMap((rule, at) => {
      const most = this.#counts[at]!.most;
      return most > rule.limit ? [`${rule.name}: ${most}`] : [];
    });
  }

  get most(): number {
    return Math.max(...this.#counts.map(({ most }) => most));
  }

  async live(): Promise<void> {
    for (let step = 0; step < STEPS; step += 1) {
      this.#world.trueMs += this.#random.pick([0, 500, 20_000, 10 * MINUTE_MS, HOUR_MS, 7 * HOUR_MS]);
      await this.#random.pick([
        () => this.#ask(),
        () => this.#ask(),
        () => this.#ask(),
        () => this.#crash(),
        () => this.#restart(),
        () => this.#wallClock(),
      ])();
      if (this.#world.trueMs > this.#wrongUntilMs) this.#setWall();
    }
  }

  async #ask(): Promise<void> {
    const burst = this.#random.below(15);
    for (let request = 0; request < burst; request += 1) await this.#request(this.#run.budget);
  }

  async #request(budget: PollBudget): Promise<void> {
    const purpose = this.#random.pick<Purpose>(["poll", "poll", "command", "login"]);
    const taken = await budget.take({ purpose });
    if (!taken.isTaken) {
      this.refusals += 1;
      return;
    }
    const wasSent = this.#random.isChance(0.9);
    if (wasSent) {
      this.#world.trueMs += this.#random.below(2_000);
      for (const count of this.#counts) count.arrive(this.#world.trueMs, 1);
      this.#world.trueMs += this.#random.below(2_000);
    }
    // Without this the run dies, or goes on, with a request under way.
    if (this.#random.isChance(0.95)) taken.settle(wasSent);
  }

  /** Whatever is not on disk is lost; a write under way is either done or not. */
  async #crash(): Promise<void> {
    void this.#run.budget.take({});
    const turns = this.#random.below(6);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    this.#begin();
  }

  async #restart(): Promise<void> {
    await Promise.all(
      [this.#run.account.close(), this.#run.app.close()].map((closed) => closed.catch(() => undefined)),
    );
    this.#begin();
  }

  #begin(): void {
    const isSet = this.#random.isChance(0.6);
    this.#wrongUntilMs = Number.POSITIVE_INFINITY;
    this.#world.quality = isSet ? "synced" : this.#random.pick(["unset", "restored"]);
    this.#world.wallErrorMs = isSet ? this.#slightErrorMs() : this.#grossErrorMs();
    this.#run = this.#world.start();
  }

  /** A time source sets the clock, or somebody turns it while the gateway runs, which the source finds within hours. */
  #wallClock(): void {
    if (this.#world.quality !== "synced") this.#setWall();
    else {
      this.#wrongUntilMs = Math.min(this.#wrongUntilMs, this.#world.trueMs + 12 * HOUR_MS);
      this.#world.wallErrorMs = this.#grossErrorMs();
      this.#look();
    }
  }

  #setWall(): void {
    this.#wrongUntilMs = Number.POSITIVE_INFINITY;
    this.#world.quality = "synced";
    this.#world.wallErrorMs = this.#slightErrorMs();
    this.#look();
  }

  #look(): void {
    this.#run.account.now();
    this.#run.app.now();
  }

  #grossErrorMs(): number {
    return this.#random.between(-40 * DAY_MS, 40 * DAY_MS);
  }

  #slightErrorMs(): number {
    return this.#random.between(-SYNCED_ERROR_MS, SYNCED_ERROR_MS);
  }
}

describe("no budget is crossed over restarts", () => {
  test.each(Array.from({ length: 20 }, (_unused, index) => index * 10))("seeds from %d", async (from) => {
    let [refusals, most] = [0, 0];
    for (let seed = from; seed < from + 10; seed += 1) {
      const life = new Life(seed);
      await life.live();
      expect(life.crossings, `seed ${seed}`).toEqual([]);
      refusals += life.refusals;
      most = Math.max(most, life.most);
    }
    // The lives were hard enough to cross a budget that somebody forgot.
    expect(refusals).toBeGreaterThan(0);
    expect(most).toBeGreaterThan(5);
  });
});
