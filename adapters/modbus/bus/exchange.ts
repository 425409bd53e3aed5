import type { AbortWatch } from "./abort-watch.ts";
import type { Request } from "./frame.ts";

/** One request on its way, and the promise of its answer. Settles once; what comes later is ignored. */
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
  readonly #resolve: (registers: Uint16Array) => void;
  readonly #reject: (reason: unknown) => void;

  constructor(
    request: Request,
    signal: AbortSignal,
    watch: AbortWatch,
    resolve: (registers: Uint16Array) => void,
    reject: (reason: unknown) => void,
  ) {
    this.request = request;
    this.signal = signal;
    this.#watch = watch;
    this.#resolve = resolve;
    this.#reject = reject;
    watch.opened(signal);
  }

  get isWrite(): boolean {
    return this.request.code > 4;
  }

  resolve(registers: Uint16Array): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.#watch.settled(this.signal);
    this.#resolve(registers);
  }

  reject(reason: unknown): void {
    if (this.isSettled) return;
    this.isSettled = true;
    this.#watch.settled(this.signal);
    this.#reject(reason);
  }
}
