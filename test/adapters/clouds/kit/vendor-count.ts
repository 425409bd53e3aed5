import type { BudgetRule } from "../../../../adapters/clouds/kit/connector.ts";
import { VIRTUAL_START_MS } from "../../../../src/testing/virtual-clock.ts";

/** How much of a date tells calendar windows apart. */
const DATE_LENGTH = { day: "2026-06-21".length, month: "2026-06".length } as const;

/** Counts as the vendor does, by a clock that is right. */
export class VendorCount {
  readonly #rule: BudgetRule;
  /** Of the window of the newest arrival; oldest first. */
  #arrivals: readonly { readonly atMs: number; readonly units: number }[] = [];
  /** The most units that any window held. */
  most = 0;

  constructor(rule: BudgetRule) {
    this.#rule = rule;
  }

  /** Arrivals come in the order of their time. */
  arrive(trueMs: number, units: number): void {
    const earlier = this.#arrivals.filter(({ atMs }) => this.#isSameWindow(atMs, trueMs));
    this.#arrivals = [...earlier, { atMs: trueMs, units }];
    const total = this.#arrivals.reduce((sum, arrival) => sum + arrival.units, 0);
    this.most = Math.max(this.most, total);
  }

  #isSameWindow(earlierMs: number, laterMs: number): boolean {
    const { window, windowMs } = this.#rule;
    if (window === "sliding") return laterMs - earlierMs < windowMs;
    const [earlier, later] = [earlierMs, laterMs].map((ms) => new Date(VIRTUAL_START_MS + ms).toISOString());
    return earlier?.slice(0, DATE_LENGTH[window]) === later?.slice(0, DATE_LENGTH[window]);
  }
}
