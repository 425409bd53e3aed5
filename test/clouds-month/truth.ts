/** What a field was at the device, and when: vendors are asked about a past that only this remembers. */
import type { Fact, Value } from "./estate.ts";

export class Truth {
  readonly fact: Fact;
  /** Since when it was so, true wall-clock ms; oldest first. */
  readonly #values: { readonly sinceMs: number; readonly value: Value }[] = [];

  constructor(fact: Fact) {
    this.fact = fact;
  }

  look(nowMs: number): void {
    const value = this.fact.truth();
    if (this.#values.at(-1)?.value !== value) this.#values.push({ sinceMs: nowMs, value });
  }

  /** Whether it was so at some moment of a time. */
  was(shown: Value, fromMs: number, toMs: number): boolean {
    const last = this.#values.findLastIndex(({ sinceMs }) => sinceMs <= toMs);
    for (let index = last; index >= 0; index -= 1) {
      const { sinceMs, value } = this.#values[index] ?? { sinceMs: 0, value: null };
      if (isNear(shown, value, this.fact.near ?? 0)) return true;
      if (sinceMs < fromMs) return false;
    }
    return false;
  }

  /** For people: what it was around a moment. */
  around(atMs: number): string {
    const at = this.#values.findLastIndex(({ sinceMs }) => sinceMs <= atMs);
    const near = this.#values.slice(Math.max(0, at - 3), at + 4);
    return near.map(({ sinceMs, value }) => `${String(value)} from ${new Date(sinceMs).toISOString()}`).join(", ");
  }
}

function isNear(shown: Value, value: Value, near: number): boolean {
  if (typeof shown !== "number" || typeof value !== "number") return shown === value;
  return Math.abs(shown - value) <= near + Math.abs(value) * 0.011;
}
