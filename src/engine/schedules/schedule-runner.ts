import type { Clock, Log } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";
import type { ScheduleBook } from "./schedule-book.ts";
import { LOOK_EVERY_MS } from "./schedule-driver.ts";

/** The shortest wait between two looks that nothing rang for, ms. */
const MIN_WAIT_MS = 10;

export interface RunnerOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly book: ScheduleBook;
  /** Lets a schedule look, after changes of it that are under way. Answers after how long again, ms. */
  look(id: string): Promise<number>;
}

/** Lets each schedule look when something happened that concerns it, when its rules want something else, and at retries. */
export class ScheduleRunner {
  readonly #options: RunnerOptions;
  readonly #wake: WakeSignal;
  /** Monotonic ms at which each schedule looks next. */
  readonly #dueMs = new Map<string, number>();
  #isRefused = false;
  /** Monotonic ms by which the loop turns again; infinite while it does not run. */
  #expectedByMs = Number.POSITIVE_INFINITY;

  constructor(options: RunnerOptions) {
    this.#options = options;
    this.#wake = new WakeSignal(options.clock);
  }

  /** Something happened that concerns a schedule. */
  wake(id: string): void {
    this.#dueMs.delete(id);
    this.#wake.notify();
  }

  ringAll(): void {
    this.#dueMs.clear();
    this.#wake.notify();
  }

  /** Lets a schedule look before anything else it waits for. Never rejects. */
  async lookNow(id: string): Promise<void> {
    await this.#look(id);
    this.#wake.notify();
  }

  /** How late the loop is, ms; negative while it is in time. */
  latenessMs(): number {
    return this.#options.clock.monotonicMs() - this.#expectedByMs;
  }

  /** Until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const ids = this.#options.book.all().map(({ schedule }) => schedule.id);
      for (const id of this.#dueMs.keys()) if (this.#options.book.get(id) === null) this.#dueMs.delete(id);
      await Promise.all(ids.filter((id) => this.#isDue(id)).map((id) => this.#look(id)));
      const waitMs = this.#waitMs();
      this.#expectedByMs = this.#options.clock.monotonicMs() + waitMs;
      await this.#wake.wait(waitMs, signal).catch(() => undefined);
      this.#expectedByMs = this.#options.clock.monotonicMs();
    }
    this.#expectedByMs = Number.POSITIVE_INFINITY;
  }

  #isDue(id: string): boolean {
    return this.#options.clock.monotonicMs() >= (this.#dueMs.get(id) ?? 0);
  }

  async #look(id: string): Promise<void> {
    const { clock, log } = this.#options;
    // A wake-up while it looks makes it look again.
    this.#dueMs.set(id, Number.POSITIVE_INFINITY);
    let waitMs = LOOK_EVERY_MS;
    try {
      waitMs = await this.#options.look(id);
      this.#isRefused = false;
    } catch (err) {
      if (!this.#isRefused) log.warn({ err, scheduleId: id }, "schedule could not do its work");
      this.#isRefused = true;
    }
    if (this.#dueMs.has(id)) this.#dueMs.set(id, clock.monotonicMs() + waitMs);
  }

  #waitMs(): number {
    const { book, clock } = this.#options;
    const nowMs = clock.monotonicMs();
    const waits = book.all().map(({ schedule }) => (this.#dueMs.get(schedule.id) ?? 0) - nowMs);
    return Math.max(Math.min(LOOK_EVERY_MS, ...waits), MIN_WAIT_MS);
  }
}
