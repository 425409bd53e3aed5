import type { Clock, ClockQuality } from "../platform/ports/ports.ts";
import { sleep } from "../platform/sleep.ts";
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

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return sleep(this, delayMs, signal);
  }
}
