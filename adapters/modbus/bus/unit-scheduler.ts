import type { UnitPacing, UnitQueue } from "./unit-queue.ts";

/** For each ms that a silent unit took, so many belong to the units that answer before a silent one is tried again. */
const ANSWERING_SHARE = 4;

/** What concerns the line as a whole, of all that its users know. */
interface LinePacing {
  readonly connectDelayMs: number;
  readonly idleCloseMs: number;
  readonly maxClients: number | null;
}

const NOTHING_KNOWN: LinePacing = { connectDelayMs: 0, idleCloseMs: Number.POSITIVE_INFINITY, maxClients: null };

/** The units of a bus and whose turn it is. */
export class UnitScheduler {
  readonly #queues: UnitQueue[] = [];
  #currentIndex = 0;
  /** No unit that stayed silent is tried before this monotonic instant, as long as others answer. */
  #silentNotBeforeMs = 0;

  #pacing = NOTHING_KNOWN;

  get pacing(): LinePacing {
    return this.#pacing;
  }

  get all(): readonly UnitQueue[] {
    return this.#queues;
  }

  get hasWaiting(): boolean {
    return this.#queues.some((queue) => queue.hasWaiting);
  }

  /** The queue whose requests are open, or were last. */
  get current(): UnitQueue | undefined {
    return this.#queues[this.#currentIndex];
  }

  find(unit: number): UnitQueue | undefined {
    return this.#queues.find((queue) => queue.unit === unit);
  }

  add(queue: UnitQueue): UnitQueue {
    this.#queues.push(queue);
    return queue;
  }

  join(queue: UnitQueue, pacing: UnitPacing): void {
    queue.join(pacing);
    this.#agree();
  }

  leave(queue: UnitQueue, pacing: UnitPacing): void {
    queue.leave(pacing);
    this.#agree();
  }

  #agree(): void {
    const users = this.#queues.flatMap((queue) => [...queue.users]);
    const limits = users.flatMap(({ maxClients }) => maxClients ?? []);
    this.#pacing = {
      connectDelayMs: Math.max(0, ...users.flatMap((user) => user.connectDelayMs ?? [])),
      idleCloseMs: Math.min(...users.map((user) => user.idleCloseMs ?? Number.POSITIVE_INFINITY)),
      maxClients: limits.length === 0 ? null : Math.min(...limits),
    };
  }

  /** Returns the queue with open requests, which may add to them unless another one waits. */
  same(): UnitQueue | null {
    const queue = this.current;
    const isAnotherWaiting = this.#queues.some((other) => other !== queue && other.hasWaiting);
    return queue === undefined || isAnotherWaiting ? null : queue;
  }

  /** Returns the next queue that may send, one with a write first; else how long all have to pause, ms. */
  next(nowMs: () => number): UnitQueue | number | null {
    const atMs = this.#queues.some((queue) => queue.gapUntilMs > 0) ? nowMs() : 0;
    let found: UnitQueue | null = null;
    let pauseMs = Number.POSITIVE_INFINITY;
    for (let step = 1; step <= this.#queues.length; step++) {
      const queue = this.#queues[(this.#currentIndex + step) % this.#queues.length];
      if (queue === undefined || !queue.hasWaiting) continue;
      if (queue.gapUntilMs > atMs) pauseMs = Math.min(pauseMs, queue.gapUntilMs - atMs);
      else if (found === null || (queue.hasWaitingWrite && !found.hasWaitingWrite)) found = queue;
    }
    if (found !== null) this.#currentIndex = this.#queues.indexOf(found);
    else if (Number.isFinite(pauseMs)) return pauseMs;
    return found;
  }

  /** A unit kept the line busy for nothing. */
  wasted(nowMs: number, costMs: number): void {
    this.#silentNotBeforeMs = nowMs + ANSWERING_SHARE * costMs;
  }

  /** How long a unit has to wait because the line is kept for those that answer, ms. */
  keptMs(queue: UnitQueue, nowMs: number): number {
    if (!queue.backoff.hasFailed || nowMs >= this.#silentNotBeforeMs) return 0;
    const isKept = this.#queues.some((other) => other.users.size > 0 && !other.backoff.hasFailed);
    return isKept ? this.#silentNotBeforeMs - nowMs : 0;
  }

  rejectWaiting(error: unknown): void {
    for (const queue of this.#queues) queue.rejectWaiting(error);
  }
}
