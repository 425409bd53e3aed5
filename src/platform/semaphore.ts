/** Limits how many pieces of costly work run at once; the others wait in order. */
export interface Semaphore {
  /**
   * Runs the work as soon as a slot is free; work with `isAhead` goes before all other. Throws `options.overfull()` when
   * too many wait already; the two kinds are counted separately.
   */
  run<T>(work: () => Promise<T>, isAhead?: boolean): Promise<T>;
}

export function createSemaphore(options: {
  readonly atOnce: number;
  readonly maxWaiting: number;
  /** The error for work that is one too many. */
  readonly overfull: () => Error;
}): Semaphore {
  const ahead: (() => void)[] = [];
  const behind: (() => void)[] = [];
  let running = 0;
  return {
    async run(work, isAhead = false) {
      if (running >= options.atOnce) {
        const waiting = isAhead ? ahead : behind;
        if (waiting.length >= options.maxWaiting) throw options.overfull();
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        await promise;
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        // The slot is passed on to the next that waits, so that new work cannot overtake it.
        const next = ahead.shift() ?? behind.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
