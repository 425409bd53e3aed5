import type { Clock } from "./ports/ports.ts";

/** What `Clock.sleep` promises, made of a clock's timer. */
export async function sleep(clock: Pick<Clock, "timer">, delayMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  using _timer = clock.timer(delayMs, resolve);
  const abort = (): void => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await promise;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
