/** Lets conditions count once they have lasted, and end once they have been over, for long enough. */
import type { Condition, ConditionFacts, Ending, HoldTimes } from "./condition.ts";

/** Which conditions count now. It forgets everything at a restart; what was announced is kept by the channels. */
export class ConditionHolds {
  readonly #timesOf: (facts: ConditionFacts) => HoldTimes;
  /** Monotonic ms since which a condition lasts without a break, by key. */
  #since = new Map<string, number>();
  /** Monotonic ms since which an announced condition is over, by key. */
  readonly #overSince = new Map<string, number>();
  #present: readonly Condition[] = [];

  constructor(timesOf: (facts: ConditionFacts) => HoldTimes) {
    this.#timesOf = timesOf;
  }

  /** Those that have lasted for long enough. */
  get present(): readonly Condition[] {
    return this.#present;
  }

  /** Takes what is so now, and the keys of what channels have announced; `nowMs` is monotonic. */
  note(conditions: readonly Condition[], announced: ReadonlySet<string>, nowMs: number): void {
    this.#since = new Map(conditions.map(({ key }) => [key, this.#since.get(key) ?? nowMs]));
    for (const key of this.#overSince.keys()) {
      if (this.#since.has(key) || !announced.has(key)) this.#overSince.delete(key);
    }
    this.#present = conditions.filter(
      ({ key, facts }) => nowMs - (this.#since.get(key) ?? nowMs) >= this.#timesOf(facts).beginMs,
    );
  }

  /** Returns what became of something that was announced, where `ending` says how it looks now. */
  endOf({ key, facts }: Condition, ending: Ending, nowMs: number): "lasts" | "over" | "gone" {
    if (ending === "gone") return "gone";
    if (this.#since.has(key) || ending === "unknown") {
      this.#overSince.delete(key);
      return "lasts";
    }
    const sinceMs = this.#overSince.get(key) ?? nowMs;
    this.#overSince.set(key, sinceMs);
    return nowMs - sinceMs >= this.#timesOf(facts).endMs ? "over" : "lasts";
  }
}
