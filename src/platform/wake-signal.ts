import type { Clock } from "./ports/ports.ts";

/** Wakes one waiting loop early. A notification while nothing waits is kept for the next wait; several count as one. */
export class WakeSignal {
  readonly #clock: Pick<Clock, "timer">;
  #isNotified = false;
  #resolve: (() => void) | null = null;
  #signal: AbortSignal | null = null;
  readonly #wake = (): void => this.#resolve?.();

  constructor(clock: Pick<Clock, "timer">) {
    this.#clock = clock;
  }

  notify(): void {
    this.#isNotified = true;
    this.#wake();
  }

  /** Resolves when notified, or after `limitMs`. Rejects with the abort reason of `signal`. Only one caller may wait at a time. */
  async wait(limitMs: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isNotified) {
      this.#listenTo(signal);
      const timer = this.#clock.timer(limitMs, this.#wake);
      await new Promise<void>((resolve) => {
        this.#resolve = resolve;
      });
      this.#resolve = null;
      timer[Symbol.dispose]();
      signal.throwIfAborted();
    }
    this.#isNotified = false;
  }

  /** A loop waits with one signal all its life: one listener stays, and not one a wait, which a thousand devices would feel. */
  #listenTo(signal: AbortSignal): void {
    if (signal === this.#signal) return;
    this.#signal?.removeEventListener("abort", this.#wake);
    signal.addEventListener("abort", this.#wake, { once: true });
    this.#signal = signal;
  }
}
