import type { ReadOutcome } from "../driver/register-point.ts";
import type { ExchangeOwner } from "./exchange.ts";

/** Reads that were asked for together. One promise for all of them costs a fraction of one for each. */
export class ExchangeBatch implements ExchangeOwner {
  /** In the order of the requests, once all are settled. Never rejects. */
  readonly outcomes: Promise<readonly ReadOutcome[]>;
  readonly #outcomes: ReadOutcome[] = [];
  readonly #done: (outcomes: readonly ReadOutcome[]) => void;
  #open: number;

  constructor(count: number) {
    const { promise, resolve } = Promise.withResolvers<readonly ReadOutcome[]>();
    this.outcomes = promise;
    this.#done = resolve;
    this.#open = count;
    if (count === 0) resolve([]);
  }

  resolve(registers: Uint16Array, index: number): void {
    this.#settle(registers, index);
  }

  reject(error: unknown, index: number): void {
    this.#settle({ error }, index);
  }

  #settle(outcome: ReadOutcome, index: number): void {
    this.#outcomes[index] = outcome;
    this.#open -= 1;
    if (this.#open === 0) this.#done(this.#outcomes);
  }
}
