/** Signals without an open request that keep their listener. */
const MAX_IDLE_SIGNALS = 8;

interface Watched {
  open: number;
  readonly listener: () => void;
}

/**
 * Tells when the signal of an open request aborts. A signal keeps its one listener while requests come with it again
 * and again, because adding and removing a listener for each request costs more than the request.
 */
export class AbortWatch implements Disposable {
  readonly #onAbort: (signal: AbortSignal) => void;
  readonly #watched = new Map<AbortSignal, Watched>();

  constructor(onAbort: (signal: AbortSignal) => void) {
    this.#onAbort = onAbort;
  }

  /** A request with this signal opens. */
  opened(signal: AbortSignal): void {
    const known = this.#watched.get(signal);
    if (known !== undefined) {
      known.open += 1;
      return;
    }
    if (this.#watched.size >= MAX_IDLE_SIGNALS) this.#dropIdle();
    const listener = (): void => {
      this.#watched.delete(signal);
      this.#onAbort(signal);
    };
    this.#watched.set(signal, { open: 1, listener });
    signal.addEventListener("abort", listener, { once: true });
  }

  /** A request with this signal settled. */
  settled(signal: AbortSignal): void {
    const known = this.#watched.get(signal);
    if (known !== undefined) known.open -= 1;
  }

  [Symbol.dispose](): void {
    for (const [signal, { listener }] of this.#watched) signal.removeEventListener("abort", listener);
    this.#watched.clear();
  }

  #dropIdle(): void {
    for (const [signal, { open, listener }] of this.#watched) {
      if (open > 0) continue;
      signal.removeEventListener("abort", listener);
      this.#watched.delete(signal);
    }
  }
}
