import { problem } from "../domain/problem.ts";

/** Lets a few pieces of costly work run at once; the others wait in order. */
export interface Turns {
  /** Runs the work when its turn comes. Throws `service-unavailable` when too many wait already. */
  run<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns(options: { readonly atOnce: number; readonly maxWaiting: number }): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(work) {
      if (running >= options.atOnce) {
        if (waiting.length >= options.maxWaiting) {
          throw problem("service-unavailable", "Too many requests of this kind are waiting.");
        }
        const { promise, resolve } = Promise.withResolvers<void>();
        waiting.push(resolve);
        await promise;
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        // A place is handed on, never given back while somebody waits: nobody can slip in between.
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
