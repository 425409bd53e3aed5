import type { Clock } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";

/** How long somebody waits for a read, ms: less than a client and the server wait for an answer. */
const WAIT_MS = 20_000;

/** What became of a read: null once the device answered, else why it could not be read. */
export type ReadOutcome = { readonly error: unknown } | null;

/** Those who wait for the next full read of a device. They share it, and what it brought answers all who ask soon after. */
export class AskedRead {
  readonly #clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly #everyMs: number;
  #waiting: PromiseWithResolvers<ReadOutcome> | null = null;
  #last: { readonly atMs: number; readonly outcome: ReadOutcome } | null = null;

  /** `everyMs`: no sooner after a read is another one asked for. */
  constructor(clock: Pick<Clock, "monotonicMs" | "timer">, everyMs: number) {
    this.#clock = clock;
    this.#everyMs = everyMs;
  }

  /** Resolves with the outcome of the last read, or of the next, which `ask` asks for. Never rejects. */
  async next(ask: () => void): Promise<ReadOutcome> {
    if (this.#last !== null && this.#clock.monotonicMs() < this.#last.atMs + this.#everyMs) return this.#last.outcome;
    if (this.#waiting === null) {
      this.#waiting = Promise.withResolvers();
      ask();
    }
    const { promise } = this.#waiting;
    try {
      return await within(this.#clock, WAIT_MS, new AbortController().signal, () => promise);
    } catch (error) {
      return { error };
    }
  }

  /** A full read, or a try to make one, is over. */
  over(outcome: ReadOutcome): void {
    this.#last = { atMs: this.#clock.monotonicMs(), outcome };
    this.#waiting?.resolve(outcome);
    this.#waiting = null;
  }

  /** A read of some points went well: the device answers again. */
  answered(): void {
    if (this.#last !== null) this.#last = { ...this.#last, outcome: null };
  }
}
