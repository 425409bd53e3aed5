import type { Clock, ClockQuality } from "../platform/ports.ts";
import type { TimerOwner } from "./timer-heap.ts";
import type { VirtualClock } from "./virtual-clock.ts";

/** The world's clock as one process sees it: when the process dies, its timers never fire and its sleeps never end. */
export class ProcessClock implements Clock {
  readonly #world: VirtualClock;
  readonly #owner: TimerOwner = { isDead: false, live: 0 };

  constructor(world: VirtualClock) {
    this.#world = world;
  }

  /** Timers that wait, sleeps among them. An orderly close leaves none. */
  get liveTimers(): number {
    return this.#owner.isDead ? 0 : this.#owner.live;
  }

  kill(): void {
    this.#owner.isDead = true;
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
    return this.#world.timerOf(this.#owner, delayMs, callback);
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
