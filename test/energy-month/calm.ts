/** What excuses a promise for a while: somebody did something, something is broken, or the gateway is not there. */
import type { Clock } from "../../src/platform/ports/ports.ts";

/** `gateway`, `meter`, `limits`, `site`, `battery`, `panels`, or the id of a charger. */
type Subject = string;

export class Calm {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #untilMs = new Map<Subject, number>();
  readonly #deedsMs = new Map<Subject, number[]>();

  constructor(clock: Pick<Clock, "monotonicMs">) {
    this.#clock = clock;
  }

  /** Something is wrong with the subject until now and for `afterMs` more. */
  disturb(subject: Subject, afterMs: number): void {
    const untilMs = this.#clock.monotonicMs() + afterMs;
    this.#untilMs.set(subject, Math.max(untilMs, this.#untilMs.get(subject) ?? 0));
  }

  isCalm(...subjects: readonly Subject[]): boolean {
    const nowMs = this.#clock.monotonicMs();
    return subjects.every((subject) => (this.#untilMs.get(subject) ?? 0) <= nowMs);
  }

  /** True if nothing was wrong with the subjects for this long. */
  wasCalmFor(ms: number, ...subjects: readonly Subject[]): boolean {
    const sinceMs = this.#clock.monotonicMs() - ms;
    return subjects.every((subject) => (this.#untilMs.get(subject) ?? 0) <= sinceMs);
  }

  /** Somebody did something with the subject. */
  deed(subject: Subject): void {
    const all = this.#deedsMs.get(subject) ?? [];
    all.push(this.#clock.monotonicMs());
    this.#deedsMs.set(subject, all);
  }

  /** How many deeds there were with a subject in the last time. */
  deedsWithin(subject: Subject, ms: number): number {
    const sinceMs = this.#clock.monotonicMs() - ms;
    return (this.#deedsMs.get(subject) ?? []).filter((atMs) => atMs >= sinceMs).length;
  }
}
