import assert from "node:assert/strict";
import { waitForLoads } from "../platform/lazy.ts";
import type { Clock, ClockQuality } from "../platform/ports/ports.ts";
import { sleep } from "../platform/sleep.ts";
import { PendingTimer, TimerHeap, type TimerOwner } from "./timer-heap.ts";

/**
 * Turns of the immediate queue that pass between two timers. In each turn all promises and ticks run dry; the second
 * is for libraries that wait for a turn themselves (light-my-request, memory-level's iterators).
 */
const SETTLE_ROUNDS = 2;
/** More timers than this at one instant is a loop that never waits. */
const MAX_TIMERS_AT_ONE_INSTANT = 100_000;

/** When a virtual clock starts by default: 2026-06-21T00:00Z. */
export const VIRTUAL_START_MS = 1_782_000_000_000;

export interface VirtualClockOptions {
  /** Wall clock at the start, ms since 1970. */
  readonly startMs?: number;
  readonly quality?: ClockQuality;
}

function nextImmediate(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * Moves only when a test moves it, and then only from timer to timer: each fires at exactly its time, in the
 * order of due time and creation, and all that it set in motion settles before the next one fires.
 */
export class VirtualClock implements Clock {
  readonly #heap = new TimerHeap();
  readonly #owner: TimerOwner = { isDead: false, live: 0 };
  #monotonicMs = 0;
  #wallOffsetMs: number;
  #quality: ClockQuality;
  #order = 0;
  #firedAtThisInstant = 0;
  #fired = 0;
  #isMoving = false;

  constructor(options: VirtualClockOptions = {}) {
    this.#wallOffsetMs = options.startMs ?? VIRTUAL_START_MS;
    this.#quality = options.quality ?? "synced";
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  nowMs(): number {
    return Math.floor(this.#monotonicMs + this.#wallOffsetMs);
  }

  quality(): ClockQuality {
    return this.#quality;
  }

  /** Timers that wait. */
  get pendingTimers(): number {
    return this.#heap.size;
  }

  /** Timers fired so far. */
  get firedTimers(): number {
    return this.#fired;
  }

  timer(delayMs: number, callback: () => void): Disposable {
    return this.timerOf(this.#owner, delayMs, callback);
  }

  /** A timer that fires only while its owner lives. */
  timerOf(owner: TimerOwner, delayMs: number, callback: () => void): Disposable {
    assert(!Number.isNaN(delayMs), "a timer needs a delay in ms");
    const dueMs = this.#monotonicMs + Math.max(0, delayMs);
    const timer = new PendingTimer(this.#heap, { dueMs, order: this.#order++, callback, owner });
    this.#heap.add(timer);
    return timer;
  }

  sleep(delayMs: number, signal: AbortSignal): Promise<void> {
    return sleep(this, delayMs, signal);
  }

  /** Sets the wall clock, as a time source or a person does; no timer notices. */
  setWallMs(nowMs: number): void {
    this.#wallOffsetMs = nowMs - this.#monotonicMs;
  }

  setQuality(quality: ClockQuality): void {
    this.#quality = quality;
  }

  /** Lets all that can run do so, and waits for code that is being loaded; no time passes. */
  async settle(): Promise<void> {
    do {
      for (let rounds = 0; rounds < SETTLE_ROUNDS; rounds += 1) await nextImmediate();
    } while (await waitForLoads());
  }

  /** Lets `durationMs` pass. Rejects with what a timer's callback throws. */
  async advance(durationMs: number): Promise<void> {
    assert(durationMs >= 0, "time does not run backwards");
    await this.#moveTo(this.#monotonicMs + durationMs, () => false);
  }

  /** Lets time pass until the condition holds, at most `limitMs`; tells whether it came to hold. */
  async runUntil(condition: () => boolean, limitMs: number): Promise<boolean> {
    return await this.#moveTo(this.#monotonicMs + limitMs, condition);
  }

  /** Lets time pass until a promise settles and answers as it does; rejects when it takes longer than `limitMs`. */
  async resolve<T>(promise: Promise<T>, limitMs: number): Promise<T> {
    let isSettled = false;
    const mark = (): void => {
      isSettled = true;
    };
    promise.then(mark, mark);
    if (!(await this.runUntil(() => isSettled, limitMs))) {
      throw new Error(`nothing came of it within ${limitMs} ms of virtual time`);
    }
    return await promise;
  }

  async #moveTo(endMs: number, condition: () => boolean): Promise<boolean> {
    assert(!this.#isMoving, "two callers move one clock");
    this.#isMoving = true;
    try {
      await this.settle();
      for (;;) {
        if (condition()) return true;
        const next = this.#heap.peek();
        if (next === null || next.dueMs > endMs) break;
        await this.#fireNext();
      }
      this.#setTime(endMs);
      return false;
    } finally {
      this.#isMoving = false;
    }
  }

  async #fireNext(): Promise<void> {
    const timer = this.#heap.take();
    assert(timer !== null);
    if (timer.owner.isDead) return;
    this.#setTime(timer.dueMs);
    this.#firedAtThisInstant += 1;
    this.#fired += 1;
    if (this.#firedAtThisInstant > MAX_TIMERS_AT_ONE_INSTANT) {
      throw new Error(`time stands still: more than ${MAX_TIMERS_AT_ONE_INSTANT} timers at ${timer.dueMs} ms`);
    }
    timer.callback();
    await this.settle();
  }

  #setTime(monotonicMs: number): void {
    if (monotonicMs > this.#monotonicMs) this.#firedAtThisInstant = 0;
    this.#monotonicMs = Math.max(this.#monotonicMs, monotonicMs);
  }
}
