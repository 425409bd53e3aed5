import { DeviceError, type Random } from "hemgate/sdk";
import { Backoff } from "./backoff.ts";
import type { Exchange } from "./exchange.ts";
import { requestText } from "./frame.ts";
import { LearnedTimeout, type Patience } from "./learned-timeout.ts";

/** Requests that may wait for one unit; a device map needs a fraction of it. */
const MAX_QUEUED = 256;

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
    return this.#writes.length > 0 || this.#reads.length > 0;
  }

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
    if (this.#writes.length + this.#reads.length < MAX_QUEUED) {
      (exchange.isWrite ? this.#writes : this.#reads).push(exchange);
      return;
    }
    const text = `${requestText(exchange.request)}: ${MAX_QUEUED} requests wait already`;
    exchange.reject(new DeviceError("unreachable", text));
  }

  /** Puts requests first that a lost connection owes an answer. */
  giveBack(exchanges: readonly Exchange[]): void {
    this.#writes.unshift(...exchanges.filter((exchange) => exchange.isWrite));
    this.#reads.unshift(...exchanges.filter((exchange) => !exchange.isWrite));
  }

  /** The next request, writes first; null when nothing waits. */
  take(): Exchange | null {
    return this.#writes.shift() ?? this.#reads.shift() ?? null;
  }

  /** Ends the waiting of requests whose caller gave up. */
  abandon(signal: AbortSignal): void {
    for (const exchange of [...this.#writes, ...this.#reads]) {
      if (exchange.signal === signal) exchange.reject(signal.reason);
    }
    this.#writes = this.#writes.filter((exchange) => !exchange.isSettled);
    this.#reads = this.#reads.filter((exchange) => !exchange.isSettled);
  }

  /** Ends all that waits. */
  rejectWaiting(reason: unknown): void {
    for (const exchange of [...this.#writes.splice(0), ...this.#reads.splice(0)]) exchange.reject(reason);
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
