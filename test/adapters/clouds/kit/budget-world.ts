import { BudgetBook } from "../../../../adapters/clouds/kit/budget/budget-book.ts";
import { PollBudget } from "../../../../adapters/clouds/kit/budget/poll-budget.ts";
import type { BudgetRule, CloudRequest } from "../../../../adapters/clouds/kit/connector.ts";
import type { ClockQuality } from "../../../../src/platform/ports/ports.ts";
import { SeededRandom } from "../../../../src/testing/seeded-random.ts";
import { TestLog } from "../../../../src/testing/test-log.ts";
import { VIRTUAL_START_MS } from "../../../../src/testing/virtual-clock.ts";
import { FakeStore } from "./fake-store.ts";

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

export function makeRule(rule: Partial<BudgetRule> = {}): BudgetRule {
  return {
    name: "requests",
    limit: 10,
    windowMs: DAY_MS,
    scope: "account",
    window: "sliding",
    reserved: { command: 0, login: 0 },
    source: "a test",
    confidence: "documented",
    ...rule,
  };
}

/** Sends until the budget refuses; answers how many went out. */
export async function sendAll(budget: PollBudget, request: Partial<CloudRequest> = {}): Promise<number> {
  for (let sent = 0; ; sent += 1) {
    const taken = await budget.take(request);
    if (!taken.isTaken) return sent;
    taken.settle(true);
  }
}

/** One gateway after the other, each with a monotonic clock of its own and a wall clock that may be wrong. */
export class BudgetWorld {
  readonly rules: readonly BudgetRule[];
  readonly stores = { account: new FakeStore(), app: new FakeStore() };
  readonly log = new TestLog();
  readonly random = new SeededRandom("budget world");
  /** Ms since the world began; what the vendor's clock shows beyond `VIRTUAL_START_MS`. */
  trueMs = 0;
  wallErrorMs = 0;
  quality: ClockQuality = "synced";
  #startedAtMs = 0;

  constructor(rules: readonly BudgetRule[]) {
    this.rules = rules;
  }

  readonly clock = {
    monotonicMs: (): number => this.trueMs - this.#startedAtMs,
    nowMs: (): number => VIRTUAL_START_MS + this.trueMs + this.wallErrorMs,
    quality: (): ClockQuality => this.quality,
  };

  /** Starts a gateway; the one before it is dead. */
  start(): { readonly budget: PollBudget; readonly account: BudgetBook; readonly app: BudgetBook } {
    this.#startedAtMs = this.trueMs;
    const { rules, clock, log, stores, random } = this;
    const account = new BudgetBook({ rules, clock, log, store: stores.account.nextRun() });
    const app = new BudgetBook({ rules, clock, log, store: stores.app.nextRun() });
    return { budget: new PollBudget({ rules, account, app, clock, random }), account, app };
  }
}
