import type { Clock } from "./ports/ports.ts";

/** The time a piece of work was given ran out. */
export class TimeoutError extends Error {
  override readonly name = "TimeoutError";
  readonly limitMs: number;

  constructor(limitMs: number) {
    super(`not finished within ${limitMs} ms`);
    this.limitMs = limitMs;
  }
}

/**
 * Runs `work` with a signal that aborts after `limitMs` or with `signal`, and rejects at once when either happens, even
 * when the work ignores its signal.
 */
export async function within<T>(
  clock: Pick<Clock, "timer">,
  limitMs: number,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const own = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const end = (reason: unknown): void => {
    own.abort(reason);
    reject(reason);
  };
  const forward = (): void => end(signal.reason);
  signal.addEventListener("abort", forward, { once: true });
  // `using` would cost as much again as the timer, at each poll.
  const timer = clock.timer(limitMs, () => end(new TimeoutError(limitMs)));
  try {
    work(own.signal).then(resolve, reject);
    return await promise;
  } finally {
    timer[Symbol.dispose]();
    signal.removeEventListener("abort", forward);
  }
}
