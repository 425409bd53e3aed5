import { MINUTE_MS } from "../../domain/duration.ts";
import type { Clock } from "../../platform/ports/ports.ts";
import type { AttemptsRecord } from "../../store/records.ts";

/** How long after the first, second… command came to nothing the next one follows (rule S7.5). */
const RETRY_AFTER_MS = [1 * MINUTE_MS, 5 * MINUTE_MS, 15 * MINUTE_MS];
const RETRY_EVERY_MS = 30 * MINUTE_MS;
/** A target that was as expected this long may be commanded at once again; one that flutters waits. */
const CALM_MS = 15 * MINUTE_MS;

/** When a schedule may command its target: at once for a new expectation, then ever more rarely. */
export class Attempts {
  readonly #clock: Pick<Clock, "monotonicMs" | "nowMs">;
  #expectation: string | null;
  #count: number;
  /** Wall-clock ms at which the last command began or came to its end. */
  #atMs = 0;
  /** Monotonic ms before which nothing is commanded. */
  #dueMs = 0;
  /** A command went out, and what came of it has not been looked at. */
  #isOpen = false;
  /** Monotonic ms since when the target is as expected; null while it is not. */
  #alignedSinceMs: number | null = null;

  /** Goes on with what a run before this one did. */
  constructor(clock: Pick<Clock, "monotonicMs" | "nowMs">, before: AttemptsRecord | null) {
    this.#clock = clock;
    this.#expectation = before?.expectation ?? null;
    this.#count = before?.count ?? 0;
    if (before === null || this.#count === 0) return;
    this.#atMs = before.atMs;
    const delayMs = this.#delayMs();
    // The wall clock may have been set since.
    const restMs = Math.min(Math.max(before.atMs + delayMs - clock.nowMs(), 0), delayMs);
    this.#dueMs = clock.monotonicMs() + restMs;
  }

  /** Null: nothing was commanded for what is expected now. */
  get record(): AttemptsRecord | null {
    const [expectation, count, atMs] = [this.#expectation, this.#count, this.#atMs];
    return expectation === null || count === 0 ? null : { expectation, count, atMs };
  }

  /** Sets what is expected now; a changed expectation starts the attempts again. */
  expect(expectation: string): void {
    if (this.#expectation === expectation) return;
    this.forget();
    this.#expectation = expectation;
  }

  /** Somebody else had the target, so nothing of before counts. */
  forget(): void {
    this.#expectation = null;
    this.#count = 0;
    this.#dueMs = 0;
    this.#isOpen = false;
    this.#alignedSinceMs = null;
  }

  /** The target is as expected. */
  aligned(): void {
    this.#alignedSinceMs ??= this.#clock.monotonicMs();
    this.#isOpen = false;
  }

  /** A command is under way. */
  underWay(): void {
    this.#alignedSinceMs = null;
    this.#isOpen = true;
  }

  /** The target is not as expected, and no command is under way. Answers how long to wait before the next, ms. */
  waitMs(): number {
    const nowMs = this.#clock.monotonicMs();
    const alignedSinceMs = this.#alignedSinceMs;
    if (alignedSinceMs !== null && nowMs - alignedSinceMs >= CALM_MS) this.#count = 0;
    const isNews = this.#isOpen || (alignedSinceMs !== null && this.#count > 0);
    if (isNews) {
      this.#dueMs = nowMs + this.#delayMs();
      this.#atMs = this.#clock.nowMs();
    }
    if (this.#count === 0) this.#dueMs = nowMs;
    this.#alignedSinceMs = null;
    this.#isOpen = false;
    return Math.max(0, this.#dueMs - nowMs);
  }

  /** A command goes out. */
  began(): void {
    this.#count += 1;
    this.#isOpen = true;
    this.#atMs = this.#clock.nowMs();
  }

  #delayMs(): number {
    return RETRY_AFTER_MS[this.#count - 1] ?? RETRY_EVERY_MS;
  }
}
