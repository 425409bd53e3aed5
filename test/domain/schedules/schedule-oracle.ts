/**
 * What a schedule wants, found the slow way: the wall clock is asked of Intl, each rule is painted on a week minute by
 * minute, and time is walked in minutes. It shares nothing with what it checks but the rules' words.
 */
import type { RuleFilters } from "../../../src/domain/schedules/schedule.ts";

export const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
export const DAY_MS = 1_440 * MINUTE_MS;
const WEEK_MINUTES = 7 * 1_440;
/** A Monday, 00:00. */
const MONDAY_MINUTES = Date.UTC(2000, 0, 3) / MINUTE_MS;

export interface OracleRule extends RuleFilters {
  readonly value: number;
}

/** What a zone's wall clock says, as Intl tells it. */
export class IntlZone {
  readonly name: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #known = new Map<number, number>();

  constructor(name: string) {
    this.name = name;
    this.#format = new Intl.DateTimeFormat("en-US", { timeZone: name, timeZoneName: "longOffset" });
  }

  /** Minutes ahead of UTC. Asked each minute only in the quarters of an hour in which it changes. */
  offsetMinutes(atMs: number): number {
    const quarter = Math.floor(atMs / QUARTER_MS);
    const begin = this.#atQuarter(quarter);
    return begin === this.#atQuarter(quarter + 1) ? begin : this.#ask(atMs);
  }

  /** The minute of the week that the wall clock shows; 0 is Monday 00:00. */
  weekMinute(atMs: number): number {
    const shownMinutes = atMs / MINUTE_MS + this.offsetMinutes(atMs);
    return Math.floor(shownMinutes - MONDAY_MINUTES) % WEEK_MINUTES;
  }

  /** The instants in [fromMs, toMs) from which on the offset is another one, found by looking every `stepMs`. */
  transitions(fromMs: number, toMs: number, stepMs: number): readonly number[] {
    const found: number[] = [];
    for (let atMs = fromMs; atMs < toMs; atMs += stepMs) {
      if (this.#ask(atMs) === this.#ask(atMs + stepMs)) continue;
      let [before, after] = [atMs, atMs + stepMs];
      while (after - before > MINUTE_MS) {
        const middle = Math.floor((before + after) / 2 / MINUTE_MS) * MINUTE_MS;
        if (this.#ask(middle) === this.#ask(atMs)) before = middle;
        else after = middle;
      }
      found.push(after);
    }
    return found;
  }

  #atQuarter(quarter: number): number {
    const known = this.#known.get(quarter) ?? this.#ask(quarter * QUARTER_MS);
    this.#known.set(quarter, known);
    return known;
  }

  #ask(atMs: number): number {
    const text = this.#format.format(atMs);
    const [, sign, hours, minutes] = /GMT(?:([+-])(\d\d):(\d\d))?$/.exec(text) ?? [];
    return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
  }
}

/** The rules, each painted on the week. */
export class Oracle {
  readonly #zone: IntlZone;
  readonly #rules: readonly { value: number; fromMs: number; toMs: number; week: Uint8Array }[];
  readonly #otherwise: number;

  constructor(zone: IntlZone, rules: readonly OracleRule[], otherwise: number) {
    this.#zone = zone;
    this.#rules = rules.map((rule) => ({
      value: rule.value,
      fromMs: new Date(rule.fromTimestamp ?? "1900-01-01T00:00:00Z").getTime(),
      toMs: new Date(rule.toTimestamp ?? "2100-01-01T00:00:00Z").getTime(),
      week: painted(rule),
    }));
    this.#otherwise = otherwise;
  }

  valueAt(atMs: number): number {
    const minute = this.#zone.weekMinute(atMs);
    let value = this.#otherwise;
    for (const rule of this.#rules) {
      if (atMs < rule.fromMs || atMs >= rule.toMs) continue;
      if (rule.week[minute] === 1) value = rule.value;
    }
    return value;
  }

  /** The first two changes after a whole minute, at most eight days ahead. */
  transitions(afterMs: number): readonly { atMs: number; value: number }[] {
    const found: { atMs: number; value: number }[] = [];
    let before = this.valueAt(afterMs);
    for (let atMs = afterMs + MINUTE_MS; atMs <= afterMs + 8 * DAY_MS && found.length < 2; atMs += MINUTE_MS) {
      const value = this.valueAt(atMs);
      if (value !== before) found.push({ atMs, value });
      before = value;
    }
    return found;
  }
}

function painted({ hourMinute, weekdays }: OracleRule): Uint8Array {
  const week = new Uint8Array(WEEK_MINUTES);
  const from = minuteOfDay(hourMinute?.from ?? "00:00");
  const to = minuteOfDay(hourMinute?.to ?? "24:00") % 1_440;
  for (const weekday of weekdays ?? [0, 1, 2, 3, 4, 5, 6]) {
    let minute = weekday * 1_440 + from;
    do {
      week[minute % WEEK_MINUTES] = 1;
      minute += 1;
    } while (minute % 1_440 !== to);
  }
  return week;
}

function minuteOfDay(text: string): number {
  return Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
}
