import type { Clock } from "./ports/ports.ts";

/** Wakes one waiting loop early. A notification while nothing waits is kept for the next wait; several count as one. */
export class WakeSignal {
  readonly #clock: Pick<Clock, "timer">;
  #isNotified = false;
  #wake: (() => void) | null = null;

  constructor(clock: Pick<Clock, "timer">) {
    this.#clock = clock;
  }

  notify(): void {
    this.#isNotified = true;
    this.#wake?.();
  }

  /** Resolves when notified, or after `limitMs`. Rejects with the abort reason of `signal`. Only one caller may wait at a time. */
  async wait(limitMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isNotified) await this.#notifiedOrLimit(limitMs, signal);
    this.#isNotified = false;
  }

  async #notifiedOrLimit(limitMs: number, signal: AbortSignal): Promise<void> {
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
