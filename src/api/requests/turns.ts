import { problem } from "../../domain/problem.ts";

/** Lets a few pieces of costly work run at once; the others wait in order. */
export interface Turns {
  /**
   * Runs the work when its turn comes, `isAhead` before all that is not. Throws `service-unavailable` when too many wait
   * already; the two kinds are counted apart.
   */
  run<T>(work: () => Promise<T>, isAhead?: boolean): Promise<T>;
}

export function createTurns(options: { readonly atOnce: number; readonly maxWaiting: number }): Turns {
  const ahead: (() => void)[] = [];
  const behind: (() => void)[] = [];
  let running = 0;
  return {
    async run(work, isAhead = false) {
      if (running >= options.atOnce) {
        const waiting = isAhead ? ahead : behind;
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
        const next = ahead.shift() ?? behind.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
