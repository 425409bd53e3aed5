/** What a schedule wants when: a question to the wall clock at an instant, not a list of jobs (rule S7.4). */
import { DAY_MS, MINUTE_MS } from "../duration.ts";
import { minutesOf } from "../hour-minute.ts";
import type { RuleFilters } from "./schedule.ts";
import { evenStretches, offsetAt } from "./schedule-zone.ts";

const DAYS_A_WEEK = 7;
/** 1970-01-01 was a Thursday, and 0 is Monday. */
const WEEKDAY_OF_DAY_0 = 3;

/** How far ahead transitions are told, and how many (rule S7.4). */
const HORIZON_MS = 8 * DAY_MS;
const MAX_TRANSITIONS = 2;

interface TimetableRule<Value> {
  readonly value: Value;
  /** Null: all days. */
  readonly weekdays: ReadonlySet<number> | null;
  /** When it begins after midnight of a wall-clock day, and how long it holds, ms. Null: all day. */
  readonly daily: { readonly beginsMs: number; readonly lengthMs: number } | null;
  /** Ms since 1970; inclusive. */
  readonly fromMs: number;
  /** Ms since 1970; exclusive. */
  readonly toMs: number;
}

/** Rules made ready to be asked often. */
export interface Timetable<Value> {
  readonly rules: readonly TimetableRule<Value>[];
  readonly otherwise: Value;
}

/** From `atMs` on the timetable's value is another one. */
export interface Transition<Value> {
  readonly atMs: number;
  readonly value: Value;
}

/** `wishOf` says what a rule wants, `otherwise` what counts while none holds. */
export function timetableOf<Rule extends RuleFilters, Value>(
  rules: readonly Rule[],
  wishOf: (rule: Rule) => Value,
  otherwise: Value,
): Timetable<Value> {
  return { rules: rules.map((rule) => ({ ...readyFilters(rule), value: wishOf(rule) })), otherwise };
}

function readyFilters(rule: RuleFilters): Omit<TimetableRule<never>, "value"> {
  const { hourMinute, weekdays, fromTimestamp, toTimestamp } = rule;
  return {
    weekdays: weekdays === undefined ? null : new Set(weekdays),
    daily: hourMinute === undefined ? null : dailyOf(minutesOf(hourMinute.from), minutesOf(hourMinute.to)),
    fromMs: fromTimestamp === undefined ? Number.NEGATIVE_INFINITY : Date.parse(fromTimestamp),
    toMs: toTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(toTimestamp),
  };
}

/** The end is always after the beginning, so the same time twice is a whole day. */
function dailyOf(fromMinutes: number, toMinutes: number): { beginsMs: number; lengthMs: number } {
  const beginsMs = fromMinutes * MINUTE_MS;
  return { beginsMs, lengthMs: modulo(toMinutes * MINUTE_MS - beginsMs - 1, DAY_MS) + 1 };
}

/** What counts at an instant, by the wall clock of an IANA zone. Throws a RangeError for no zone. */
export function valueAt<Value>(timetable: Timetable<Value>, zone: string, atMs: number): Value {
  return valueBy(timetable, atMs, offsetAt(zone, atMs));
}

/** The same for who knows what the wall clock is ahead of UTC, ms. */
function valueBy<Value>({ rules, otherwise }: Timetable<Value>, atMs: number, offsetMs: number): Value {
  const day = Math.floor((atMs + offsetMs) / DAY_MS);
  const timeMs = atMs + offsetMs - day * DAY_MS;
  const weekday = modulo(day + WEEKDAY_OF_DAY_0, DAYS_A_WEEK);
  // A later rule is the more special one: the last that holds counts.
  const rule = rules.findLast((each) => isWithin(each, atMs) && holds(each, weekday, timeMs));
  return rule === undefined ? otherwise : rule.value;
}

function isWithin({ fromMs, toMs }: TimetableRule<unknown>, atMs: number): boolean {
  return atMs >= fromMs && atMs < toMs;
}

/** A time that crosses midnight belongs to the weekday on which it begins. */
function holds({ daily, weekdays }: TimetableRule<unknown>, weekday: number, timeMs: number): boolean {
  const isOn = (each: number): boolean => weekdays?.has(modulo(each, DAYS_A_WEEK)) ?? true;
  if (daily === null) return isOn(weekday);
  const sinceTodaysMs = timeMs - daily.beginsMs;
  const sinceYesterdaysMs = sinceTodaysMs + DAY_MS;
  return (
    (sinceTodaysMs >= 0 && sinceTodaysMs < daily.lengthMs && isOn(weekday)) ||
    (sinceYesterdaysMs >= 0 && sinceYesterdaysMs < daily.lengthMs && isOn(weekday - 1))
  );
}

/**
 * The next changes of the value after an instant, at most two, at most eight days ahead. A wall-clock time that is
 * skipped takes effect at the jump; an hour that comes twice counts both times. Throws a RangeError for no zone.
 */
export function upcomingTransitions<Value>(
  timetable: Timetable<Value>,
  zone: string,
  afterMs: number,
  isSame: (a: Value, b: Value) => boolean = Object.is,
): readonly Transition<Value>[] {
  const transitions: Transition<Value>[] = [];
  let value = valueAt(timetable, zone, afterMs);
  for (const { atMs, offsetMs } of edgesAfter(timetable, zone, afterMs)) {
    const next = valueBy(timetable, atMs, offsetMs);
    if (isSame(value, next)) continue;
    transitions.push({ atMs, value: next });
    if (transitions.length === MAX_TRANSITIONS) break;
    value = next;
  }
  return transitions;
}

interface Edge {
  readonly atMs: number;
  readonly offsetMs: number;
}

/** The instants at which a rule can begin or end, ascending: between two of them no value changes. */
function* edgesAfter(timetable: Timetable<unknown>, zone: string, afterMs: number): Generator<Edge> {
  const timesMs = edgeTimes(timetable);
  const instantsMs = timetable.rules.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).toSorted((a, b) => a - b);
  for (const { fromMs, toMs, offsetMs } of evenStretches(zone, afterMs, afterMs + HORIZON_MS + 1)) {
    const firstDay = Math.floor((fromMs + offsetMs) / DAY_MS);
    for (let day = firstDay; day * DAY_MS - offsetMs < toMs; day += 1) {
      const midnightMs = day * DAY_MS - offsetMs;
      const beginMs = Math.max(midnightMs, fromMs);
      const endMs = Math.min(midnightMs + DAY_MS, toMs);
      // Where a stretch begins the wall clock may have jumped over a rule's time.
      const edges = [beginMs, ...timesMs.map((timeMs) => midnightMs + timeMs), ...instantsMs];
      const inside = edges.filter((atMs) => atMs >= beginMs && atMs < endMs && atMs > afterMs);
      for (const atMs of inside.toSorted((a, b) => a - b)) yield { atMs, offsetMs };
    }
  }
}

/** The wall-clock times at which a rule begins or ends, ms after midnight; each once. */
function edgeTimes({ rules }: Timetable<unknown>): readonly number[] {
  const times = rules.flatMap(({ daily }) =>
    daily === null ? [] : [daily.beginsMs % DAY_MS, (daily.beginsMs + daily.lengthMs) % DAY_MS],
  );
  return [...new Set(times)];
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
