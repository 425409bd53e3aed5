import { DeviceError, type Random, RegisterException } from "hemgate/sdk";
import { Backoff } from "./backoff.ts";
import type { Exchange } from "./exchange.ts";
import { requestText } from "./frame.ts";
import { LearnedTimeout, type Patience } from "./learned-timeout.ts";

/** Requests that may wait for one unit; a device map needs a fraction of it. */
const MAX_QUEUED = 256;
/** Requests of other programs that may wait for one unit; further ones are refused as busy. */
const MAX_GUESTS = 16;
const DEVICE_BUSY = 6;

/** What a user of a unit asks for; of several users the most careful counts. */
export interface UnitPacing {
  /** Pause between an answer and the next request, ms. */
  readonly minGapMs: number;
  /** Requests sent before the first is answered. */
  readonly inFlight: number;
  /** How long an answer may take, ms, where it is known. */
  readonly timeoutMs?: number | undefined;
  /** Pause between the connection and the first request, ms. */
  readonly connectDelayMs?: number | undefined;
  /** The device ends a connection that was silent for so long, ms. */
  readonly idleCloseMs?: number | undefined;
  /** Clients that the device serves at a time. */
  readonly maxClients?: number | undefined;
  /** The first request after a pause only wakes the device: it is sent again when it was not answered. */
  readonly isWokenByRequest?: boolean | undefined;
}

/** A sleeping device answers the second request; awake it answers within this. */
const WAKE_MS = 300;

/** One unit of a bus: what waits for it, how it wants to be asked, and how it fares. */
export class UnitQueue {
  readonly unit: number;
  readonly timeout: LearnedTimeout;
  readonly backoff: Backoff;
  readonly users = new Set<UnitPacing>();
  /** No request before this monotonic instant; 0 for a unit that wants no pause. */
  gapUntilMs = 0;
  #writes: Exchange[] = [];
  #reads: Exchange[] = [];
  /** Requests of other programs. */
  #guests: Exchange[] = [];
  #wasGuest = true;
  #gapMs = 0;
  #inFlight = 1;
  #isWokenByRequest = false;
  #hasJustAnswered = false;

  constructor(unit: number, patience: Patience, random: Pick<Random, "next">) {
    this.unit = unit;
    this.timeout = new LearnedTimeout(patience);
    this.backoff = new Backoff(random);
  }

  get hasWaiting(): boolean {
    return this.#writes.length > 0 || this.#reads.length > 0 || this.#guests.length > 0;
  }

  /** Whether the gateway itself has something to write. */
  get hasWaitingWrite(): boolean {
    return this.#writes.length > 0;
  }

  /** How many requests may be open; one while it has to be seen whether the unit is back. */
  get window(): number {
    return this.backoff.hasFailed || this.#gapMs > 0 ? 1 : this.#inFlight;
  }

  /** When a request is sent once more, ms; null: never. */
  get resendAfterMs(): number | null {
    return this.#isWokenByRequest ? WAKE_MS : null;
  }

  join(pacing: UnitPacing): void {
    this.users.add(pacing);
    this.#agree();
  }

  leave(pacing: UnitPacing): void {
    this.users.delete(pacing);
    this.#agree();
  }

  /** Adds a request to the queue, or rejects it when the queue is full. */
  enqueue(exchange: Exchange): void {
    if (exchange.guest !== null) {
      this.#enqueueGuest(exchange);
      return;
    }
    if (this.#writes.length + this.#reads.length < MAX_QUEUED) {
      (exchange.isWrite ? this.#writes : this.#reads).push(exchange);
      return;
    }
    const text = `${requestText(exchange.request)}: ${MAX_QUEUED} requests wait already`;
    exchange.reject(new DeviceError("unreachable", text));
  }

  #enqueueGuest(exchange: Exchange): void {
    if (this.#guests.length < MAX_GUESTS) {
      this.#guests.push(exchange);
      return;
    }
    const text = `${requestText(exchange.request)}: ${MAX_GUESTS} requests of other programs wait already`;
    exchange.reject(new RegisterException(DEVICE_BUSY, text));
  }

  /** Puts requests first that a lost connection owes an answer. */
  giveBack(exchanges: readonly Exchange[]): void {
    this.#guests.unshift(...exchanges.filter(({ guest }) => guest !== null));
    const own = exchanges.filter(({ guest }) => guest === null);
    this.#writes.unshift(...own.filter((exchange) => exchange.isWrite));
    this.#reads.unshift(...own.filter((exchange) => !exchange.isWrite));
  }

  /** The next request: the gateway's writes first, then its reads and other programs' requests in turn; null when nothing waits. */
  take(): Exchange | null {
    const write = this.#writes.shift();
    if (write !== undefined) return write;
    const guest = this.#wasGuest && this.#reads.length > 0 ? null : this.#nextGuest();
    this.#wasGuest = guest !== null;
    return guest ?? this.#reads.shift() ?? null;
  }

  /** The next request of another program that may still be sent. */
  #nextGuest(): Exchange | null {
    for (let guest = this.#guests.shift(); guest !== undefined; guest = this.#guests.shift()) {
      const refusal = guest.guest?.refusal?.() ?? null;
      if (refusal === null) return guest;
      guest.reject(refusal);
    }
    return null;
  }

  /** Ends the waiting of requests whose caller gave up. */
  abandon(signal: AbortSignal): void {
    for (const exchange of [...this.#writes, ...this.#reads, ...this.#guests]) {
      if (exchange.signal === signal) exchange.reject(signal.reason);
    }
    this.#writes = this.#writes.filter((exchange) => !exchange.isSettled);
    this.#reads = this.#reads.filter((exchange) => !exchange.isSettled);
    this.#guests = this.#guests.filter((exchange) => !exchange.isSettled);
  }

  /** Ends all that waits. */
  rejectWaiting(reason: unknown): void {
    const waiting = [...this.#writes.splice(0), ...this.#reads.splice(0), ...this.#guests.splice(0)];
    for (const exchange of waiting) exchange.reject(reason);
  }

  /** Whether the unit answered the request before the one that it did not answer; tells it once. */
  takeJustAnswered(): boolean {
    const hasJustAnswered = this.#hasJustAnswered;
    this.#hasJustAnswered = false;
    return hasJustAnswered;
  }

  answered(nowMs: number, latencyMs: number): void {
    this.#hasJustAnswered = true;
    this.timeout.answered(latencyMs);
    if (this.#gapMs > 0) this.gapUntilMs = nowMs + this.#gapMs;
  }

  #agree(): void {
    const users = [...this.users];
    this.#gapMs = Math.max(0, ...users.map((user) => user.minGapMs));
    this.#inFlight = users.length === 0 ? 1 : Math.min(...users.map((user) => user.inFlight));
    this.#isWokenByRequest = users.some((user) => user.isWokenByRequest === true);
    const known = users.flatMap((user) => user.timeoutMs ?? []);
    this.timeout.allow(known.length === 0 ? null : Math.max(...known));
  }
}
