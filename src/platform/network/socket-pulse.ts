import type { Clock } from "../ports/ports.ts";

/** How often the other end of a connection is pinged, ms. */
export const PING_MS = 20_000;
/** So long without a word or a pong, ms, and nobody is there any more. */
export const SILENT_MS = 50_000;
/** Sums of times are not exact. */
const LEAST_MS = 1;

export interface PulseEvents {
  ping(): void;
  /** Once; the pulse is over then. */
  silent(): void;
}

/** Notices that a connection is dead although nobody ended it. Its owner disposes it. */
export class SocketPulse implements Disposable {
  readonly #clock: Pick<Clock, "monotonicMs" | "timer">;
  readonly #events: PulseEvents;
  #receivedAtMs: number;
  #timer: Disposable;

  constructor(clock: Pick<Clock, "monotonicMs" | "timer">, events: PulseEvents) {
    this.#clock = clock;
    this.#events = events;
    this.#receivedAtMs = clock.monotonicMs();
    this.#timer = this.#next();
  }

  /** Notes that something came from the other end. */
  received(): void {
    this.#receivedAtMs = this.#clock.monotonicMs();
  }

  [Symbol.dispose](): void {
    this.#timer[Symbol.dispose]();
  }

  #next(): Disposable {
    const leftMs = this.#receivedAtMs + SILENT_MS - this.#clock.monotonicMs();
    return this.#clock.timer(Math.min(PING_MS, Math.max(LEAST_MS, leftMs)), () => this.#beat());
  }

  #beat(): void {
    if (this.#clock.monotonicMs() - this.#receivedAtMs >= SILENT_MS) {
      this.#events.silent();
      return;
    }
    this.#events.ping();
    this.#timer = this.#next();
  }
}
