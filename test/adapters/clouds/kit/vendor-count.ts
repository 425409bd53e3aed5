import type { BudgetRule } from "../../../../adapters/clouds/kit/connector.ts";
import { VIRTUAL_START_MS } from "../../../../src/testing/virtual-clock.ts";

/** Counts as the vendor does, by a clock that is right. */
export class VendorCount {
  readonly #rule: BudgetRule;
  readonly #arrivals: { readonly atMs: number; readonly units: number }[] = [];
  /** The most units that any window held. */
  most = 0;

  constructor(rule: BudgetRule) {
    this.#rule = rule;
  }

  arrive(trueMs: number, units: number): void {
    this.#arrivals.push({ atMs: trueMs, units });
    const inWindow = this.#arrivals.filter(({ atMs }) => this.#isSameWindow(atMs, trueMs));
    this.most = Math.max(
      this.most,
      inWindow.reduce((total, arrival) => total + arrival.units, 0),
    );
  }

  #isSameWindow(earlierMs: number, laterMs: number): boolean {
    const { window, windowMs } = this.#rule;
    if (window === "sliding") return laterMs - earlierMs < windowMs;
    const length = window === "day" ? "2026-06-21".length : "2026-06".length;
    const [earlier, later] = [earlierMs, laterMs].map((ms) => new Date(VIRTUAL_START_MS + ms).toISOString());
    return earlier?.slice(0, length) === later?.slice(0, length);
  }
}
