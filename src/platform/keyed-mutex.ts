/** Work that waits behind other work of the same key; more is refused. */
const MAX_WAITING = 64;

/** Too much waits already. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** Runs work of one key one after the other, in the order it came; work of different keys is not ordered. */
export class Serial {
  readonly #tails = new Map<string, { tail: Promise<void>; waiting: number }>();

  /** Runs work that belongs to several keys. The keys are taken in order, so that two of these never wait for each other. */
  async runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...rest] = [...new Set(keys)].sort();
    if (first === undefined) return await work();
    return await this.run(first, () => this.runAll(rest, work));
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const lane = this.#tails.get(key) ?? { tail: Promise.resolve(), waiting: 0 };
    if (lane.waiting >= MAX_WAITING) throw new BusyError(`more than ${MAX_WAITING} changes of ${key} wait`);
    const before = lane.tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    lane.tail = promise;
    lane.waiting += 1;
    this.#tails.set(key, lane);
    try {
      await before;
      return await work();
    } finally {
      lane.waiting -= 1;
      if (lane.waiting === 0) this.#tails.delete(key);
      resolve();
    }
  }
}
