const MAX_WAITING = 64;

/** Thrown when too much work of one key is waiting. */
export class BusyError extends Error {
  override readonly name = "BusyError";
}

/** Runs work of one key one after the other, in the order of the calls; work of different keys runs at the same time. */
export class KeyedMutex {
  readonly #maxWaiting: number;
  readonly #tails = new Map<string, { tail: Promise<void>; waiting: number }>();

  /** More than `maxWaiting` calls of one key that have not ended are refused with `BusyError`; `null`: none is refused. */
  constructor({ maxWaiting = MAX_WAITING }: { readonly maxWaiting?: number | null } = {}) {
    this.#maxWaiting = maxWaiting ?? Number.POSITIVE_INFINITY;
  }

  /** Runs work that belongs to several keys. The keys are taken in order, so that two such calls never wait for each other. */
  async runAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [first, ...rest] = [...new Set(keys)].sort();
    if (first === undefined) return await work();
    return await this.run(first, () => this.runAll(rest, work));
  }

  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const queue = this.#tails.get(key) ?? { tail: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= this.#maxWaiting) {
      throw new BusyError(`more than ${this.#maxWaiting} changes of ${key} wait`);
    }
    const before = queue.tail;
    const { promise, resolve } = Promise.withResolvers<void>();
    queue.tail = promise;
    queue.waiting += 1;
    this.#tails.set(key, queue);
    try {
      await before;
      return await work();
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) this.#tails.delete(key);
      resolve();
    }
  }

  /** Resolves when all work that was asked for before has ended, well or not. */
  async settled(): Promise<void> {
    await Promise.all([...this.#tails.values()].map(({ tail }) => tail));
  }
}
