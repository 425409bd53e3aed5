import type { Clock, ClockQuality } from "../platform/ports.ts";

/** The world's clock as one process sees it: when the process dies, its timers never fire and its sleeps never end. */
export class ProcessClock implements Clock {
  readonly #world: Clock;
  readonly #live = new Set<Disposable>();
  #isDead = false;

  constructor(world: Clock) {
    this.#world = world;
  }

  /** Timers that wait, sleeps among them. An orderly close leaves none. */
  get liveTimers(): number {
    return this.#live.size;
  }

  kill(): void {
    this.#isDead = true;
    for (const timer of this.#live) timer[Symbol.dispose]();
    this.#live.clear();
  }

  monotonicMs(): number {
    return this.#world.monotonicMs();
  }

  nowMs(): number {
    return this.#world.nowMs();
  }

  quality(): ClockQuality {
    return this.#world.quality();
  }

  timer(delayMs: number, callback: () => void): Disposable {
    if (this.#isDead) return { [Symbol.dispose]: () => undefined };
    const timer = this.#world.timer(delayMs, () => {
      this.#live.delete(timer);
      callback();
    });
    this.#live.add(timer);
    return {
      [Symbol.dispose]: () => {
        this.#live.delete(timer);
        timer[Symbol.dispose]();
      },
    };
  }

  async sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    using _timer = this.timer(delayMs, resolve);
    const abort = (): void => reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", abort);
    }
  }
}
