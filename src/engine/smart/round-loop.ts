import { problem } from "../../domain/problem.ts";
import { BusyError, KeyedMutex } from "../../platform/keyed-mutex.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import { WakeSignal } from "../../platform/wake-signal.ts";

/** Every target is looked at this often, ms; sooner when something about it changes, or is due. */
const ROUND_MS = 60_000;
/** What is due is looked at no sooner than this after the last look, ms. */
const LEAST_WAIT_MS = 2_000;

export interface RoundLoopOptions {
  readonly clock: Clock;
  readonly log: Log;
  /** The targets that there are. */
  ids(): readonly string[];
  /** How long until something of a target is due, ms; infinite when nothing is. */
  dueInMs(id: string): number;
  /** Looks at a target, under its lock. */
  look(id: string): Promise<void>;
}

/** Looks at targets when something about them changes or is due, and at all of them every minute. */
export class RoundLoop {
  readonly #options: RoundLoopOptions;
  readonly #wake: WakeSignal;
  readonly #mutex = new KeyedMutex();
  readonly #marked = new Set<string>();
  /** Monotonic ms by which the loop turns again; infinite while it does not run. */
  #expectedByMs = Number.POSITIVE_INFINITY;

  constructor(options: RoundLoopOptions) {
    this.#options = options;
    this.#wake = new WakeSignal(options.clock);
  }

  /** Something about a target changed: it is looked at soon. */
  mark(id: string): void {
    this.#marked.add(id);
    this.#wake.notify();
  }

  forget(id: string): void {
    this.#marked.delete(id);
  }

  /** Looks at a target at once. Never rejects. */
  async lookNow(id: string): Promise<void> {
    this.#marked.delete(id);
    try {
      await this.#mutex.run(id, () => this.#options.look(id));
    } catch (err) {
      this.#options.log.warn({ err, targetId: id }, "smart control not moved on");
    }
  }

  /** How late the loop is, ms; negative while it is in time. */
  latenessMs(): number {
    return this.#options.clock.monotonicMs() - this.#expectedByMs;
  }

  /** Runs work on a target while nobody looks at it. Throws `too-many-requests`. */
  async withLock<T>(id: string, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#mutex.run(id, work);
    } catch (error) {
      if (error instanceof BusyError) throw problem("too-many-requests", "Too many changes wait for this device.");
      throw error;
    }
  }

  /** Looks until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    let roundAtMs = clock.monotonicMs();
    while (!signal.aborted) {
      const isRound = clock.monotonicMs() >= roundAtMs;
      if (isRound) roundAtMs = clock.monotonicMs() + ROUND_MS;
      for (const id of this.#options.ids()) {
        if (isRound || this.#marked.has(id) || this.#options.dueInMs(id) <= 0) await this.#look(id, signal);
      }
      const dues = this.#options.ids().map((id) => this.#options.dueInMs(id));
      const waitMs = Math.min(...dues, roundAtMs - clock.monotonicMs());
      await this.#pause(Math.max(waitMs, LEAST_WAIT_MS), signal);
    }
    this.#expectedByMs = Number.POSITIVE_INFINITY;
  }

  async #pause(waitMs: number, signal: AbortSignal): Promise<void> {
    this.#expectedByMs = this.#options.clock.monotonicMs() + waitMs;
    await this.#wake.wait(waitMs, signal).catch(() => undefined);
    this.#expectedByMs = this.#options.clock.monotonicMs();
  }

  async #look(id: string, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return void this.#marked.delete(id);
    await this.lookNow(id);
  }
}
