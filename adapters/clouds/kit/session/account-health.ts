import { type Clock, MINUTE_MS } from "hemgate/sdk";
import type { CloudErrorKind } from "./cloud-error.ts";

const SLOT_MS = 5 * MINUTE_MS;
const SLOTS = 12;

export type Outcome = "answered" | CloudErrorKind;

/** How an account's requests went in the last hour. */
export interface AccountHealth {
  readonly answered: number;
  readonly failed: Readonly<Partial<Record<CloudErrorKind, number>>>;
  /** Monotonic ms of the last answer of this run; null: none yet. */
  readonly lastAnswerMs: number | null;
}

/** Counts how requests went, for an hour, in twelfths of one. */
export class HealthCount {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #slots = new Map<number, Map<Outcome, number>>();
  #lastAnswerMs: number | null = null;

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  count(outcome: Outcome): void {
    if (outcome === "answered") this.#lastAnswerMs = this.#clock.monotonicMs();
    const counts = this.#slots.get(this.#slot) ?? new Map<Outcome, number>();
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    this.#slots.set(this.#slot, counts);
    this.#forget();
  }

  health(): AccountHealth {
    this.#forget();
    const totals = new Map<Outcome, number>();
    for (const counts of this.#slots.values()) {
      for (const [outcome, count] of counts) totals.set(outcome, (totals.get(outcome) ?? 0) + count);
    }
    const answered = totals.get("answered") ?? 0;
    totals.delete("answered");
    return { answered, failed: Object.fromEntries(totals), lastAnswerMs: this.#lastAnswerMs };
  }

  get #slot(): number {
    return Math.floor(this.#clock.monotonicMs() / SLOT_MS);
  }

  #forget(): void {
    for (const slot of this.#slots.keys()) if (slot <= this.#slot - SLOTS) this.#slots.delete(slot);
  }
}
