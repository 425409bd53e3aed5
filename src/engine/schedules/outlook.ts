import { instant } from "../../domain/fields.ts";
import {
  type Timetable,
  type Transition,
  upcomingTransitions,
  valueAt,
} from "../../domain/schedules/schedule-timetable.ts";

/** While fewer transitions are in sight than the status shows, they are calculated again after this long, ms. */
const FRESH_MS = 60_000;

/** What a schedule's rules want now and next. */
export interface Prospect<Value> {
  readonly value: Value;
  readonly upcoming: readonly Transition<Value>[];
}

/** Remembers what a timetable says between two looks, so that a look at each reading costs nothing. */
export class Outlook<Value> {
  readonly #timetable: Timetable<Value>;
  readonly #isSame: (a: Value, b: Value) => boolean;
  #zone = "";
  #fromMs = 0;
  #toMs = 0;
  #prospect: Prospect<Value> | null = null;

  constructor(timetable: Timetable<Value>, isSame: (a: Value, b: Value) => boolean) {
    this.#timetable = timetable;
    this.#isSame = isSame;
  }

  /** At a wall-clock instant, ms, by the clock of an IANA zone. */
  at(zone: string, nowMs: number): Prospect<Value> {
    const isFresh = zone === this.#zone && nowMs >= this.#fromMs && nowMs < this.#toMs;
    if (isFresh && this.#prospect !== null) return this.#prospect;
    const upcoming = upcomingTransitions(this.#timetable, zone, nowMs, this.#isSame);
    this.#prospect = { value: valueAt(this.#timetable, zone, nowMs), upcoming };
    this.#zone = zone;
    this.#fromMs = nowMs;
    const [next, second] = upcoming;
    // With two in sight nothing changes until the first of them; otherwise more may come into sight.
    const freshMs = second === undefined ? nowMs + FRESH_MS : Number.POSITIVE_INFINITY;
    this.#toMs = Math.min(next?.atMs ?? Number.POSITIVE_INFINITY, freshMs);
    return this.#prospect;
  }
}

/** A transition's time as the API tells it. */
export function transitionAt({ atMs }: Transition<unknown>): string {
  return instant(atMs);
}
