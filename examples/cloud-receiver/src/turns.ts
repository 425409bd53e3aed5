/** Whose turn it is: one frame of a gateway at a time, gateways one after the other, so many at once. */
export class Turns {
  readonly #slots: number;
  readonly #working = new Set<string>();
  /** In the order of their turns; a gateway that had its turn is last. */
  readonly #waiting = new Map<string, (() => void)[]>();

  constructor(slots: number) {
    this.#slots = slots;
  }

  isWorking(gateway: string): boolean {
    return this.#working.has(gateway);
  }

  /** Runs the work when it is the gateway's turn. */
  async run<Result>(gateway: string, work: () => Promise<Result>): Promise<Result> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.set(gateway, [...(this.#waiting.get(gateway) ?? []), resolve]);
    this.#next();
    await promise;
    try {
      return await work();
    } finally {
      this.#working.delete(gateway);
      this.#next();
    }
  }

  #next(): void {
    for (const [gateway, [begin, ...others]] of [...this.#waiting]) {
      if (this.#working.size >= this.#slots) return;
      if (begin === undefined || this.#working.has(gateway)) continue;
      this.#waiting.delete(gateway);
      if (others.length > 0) this.#waiting.set(gateway, others);
      this.#working.add(gateway);
      begin();
    }
  }
}
