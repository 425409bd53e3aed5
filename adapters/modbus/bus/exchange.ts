import type { AbortWatch } from "./abort-watch.ts";
import type { Request } from "./frame.ts";

/** On which terms a request of another program is sent. */
export interface GuestTerms {
  /** Asked right before it is sent: what it is rejected with instead; null lets it pass. Null for a read. */
  readonly refusal: (() => unknown) | null;
}

/** Who waits for the answers of one or more exchanges; `index` tells which of them it is. */
export interface ExchangeOwner {
  /** Set for a request of another program. */
  readonly guest?: GuestTerms | null;
  resolve(registers: Uint16Array, index: number): void;
  reject(reason: unknown, index: number): void;
}

/** One request on its way. Settles once; what comes later is ignored. */
export class Exchange {
  readonly request: Request;
  readonly signal: AbortSignal;
  /** Transaction id while it is open on a connection. */
  id = 0;
  sentAtMs = 0;
  deadlineMs = 0;
  isSettled = false;
  /** It was open on a connection that the peer closed after a pause, and went out again. */
  isSecondTry = false;
  readonly #watch: AbortWatch;
  readonly #owner: ExchangeOwner;
  readonly #index: number;

  constructor(request: Request, signal: AbortSignal, watch: AbortWatch, owner: ExchangeOwner, index = 0) {
    this.request = request;
    this.signal = signal;
    this.#watch = watch;
    this.#owner = owner;
    this.#index = index;
    watch.opened(signal);
  }

  /** Null for a request of the gateway. */
  get guest(): GuestTerms | null {
    return this.#owner.guest ?? null;
  }

  get isWrite(): boolean {
    return this.request.code > 4;
  }

  resolve(registers: Uint16Array): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.#watch.settled(this.signal);
    this.#owner.resolve(registers, this.#index);
  }

  reject(reason: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.#watch.settled(this.signal);
    this.#owner.reject(reason, this.#index);
  }
}
