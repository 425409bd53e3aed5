import type { Clock } from "./ports/ports.ts";

/** Wakes one waiting loop. A ring while nobody waits is kept for the next wait; more rings are one. */
export class Bell {
  readonly #clock: Pick<Clock, "timer">;
  #isRung = false;
  #wake: (() => void) | null = null;

  constructor(clock: Pick<Clock, "timer">) {
    this.#clock = clock;
  }

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves at a ring, or after `limitMs`. Rejects with the signal's reason. One waits at a time. */
  async wait(limitMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isRung) await this.#ringOrLimit(limitMs, signal);
    this.#isRung = false;
  }

  async #ringOrLimit(limitMs: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    using _timer = this.#clock.timer(limitMs, wake);
    signal.addEventListener("abort", wake, { once: true });
    this.#wake = wake;
    try {
      await promise;
      signal.throwIfAborted();
    } finally {
      this.#wake = null;
      signal.removeEventListener("abort", wake);
    }
  }
}
