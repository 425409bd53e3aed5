/** Evaluates the rules of a schedule at an instant, by the wall clock of its zone (rule S7.4). */
import { DAY_MS, MINUTE_MS } from "../duration.ts";
import { minutesOf } from "../hour-minute.ts";
import type { RuleFilters } from "./schedule.ts";
import { evenStretches, offsetAt } from "./schedule-zone.ts";

const DAYS_A_WEEK = 7;
/** 1970-01-01 was a Thursday, and 0 is Monday. */
const WEEKDAY_OF_DAY_0 = 3;

/** How far ahead transitions are calculated, ms, and how many (rule S7.4). */
const HORIZON_MS = 8 * DAY_MS;
const MAX_TRANSITIONS = 2;

interface TimetableRule<Value> {
  readonly value: Value;
  /** Days of the week, 0 is Monday; `null` for all days. */
  readonly weekdays: ReadonlySet<number> | null;
  /** Start after local midnight and duration, ms; `null` for the whole day. */
  readonly daily: { readonly beginsMs: number; readonly lengthMs: number } | null;
  /** Milliseconds since 1970, inclusive. */
  readonly fromMs: number;
  /** Milliseconds since 1970, exclusive. */
  readonly toMs: number;
}

/** Parsed rules, and the value that applies while no rule does. */
export interface Timetable<Value> {
  readonly rules: readonly TimetableRule<Value>[];
  readonly otherwise: Value;
}

/** A change of the timetable's value to `value` at `atMs`, milliseconds since 1970. */
export interface Transition<Value> {
  readonly atMs: number;
  readonly value: Value;
}

/** Parses rules. `valueFrom` returns the value of a rule; `otherwise` is the value while no rule applies. */
export function timetableOf<Rule extends RuleFilters, Value>(
  rules: readonly Rule[],
  valueFrom: (rule: Rule) => Value,
  otherwise: Value,
): Timetable<Value> {
  return { rules: rules.map((rule) => ({ ...parsedFilters(rule), value: valueFrom(rule) })), otherwise };
}

function parsedFilters(rule: RuleFilters): Omit<TimetableRule<never>, "value"> {
  const { hourMinute, weekdays, fromTimestamp, toTimestamp } = rule;
  return {
    weekdays: weekdays === undefined ? null : new Set(weekdays),
    daily: hourMinute === undefined ? null : dailyOf(minutesOf(hourMinute.from), minutesOf(hourMinute.to)),
    fromMs: fromTimestamp === undefined ? Number.NEGATIVE_INFINITY : Date.parse(fromTimestamp),
    toMs: toTimestamp === undefined ? Number.POSITIVE_INFINITY : Date.parse(toTimestamp),
  };
}

/** Returns start and duration, ms. An end that is not after the start is on the next day, so equal times are a whole day. */
function dailyOf(fromMinutes: number, toMinutes: number): { beginsMs: number; lengthMs: number } {
  const beginsMs = fromMinutes * MINUTE_MS;
  return { beginsMs, lengthMs: modulo(toMinutes * MINUTE_MS - beginsMs - 1, DAY_MS) + 1 };
}

/** Returns the value at an instant by the wall clock of an IANA time zone. Throws a RangeError if the zone is unknown. */
export function valueAt<Value>(timetable: Timetable<Value>, zone: string, atMs: number): Value {
  return valueBy(timetable, atMs, offsetAt(zone, atMs));
}

/** Returns the value at an instant; `offsetMs` is how far the wall clock is ahead of UTC. */
function valueBy<Value>({ rules, otherwise }: Timetable<Value>, atMs: number, offsetMs: number): Value {
  const day = Math.floor((atMs + offsetMs) / DAY_MS);
  const timeMs = atMs + offsetMs - day * DAY_MS;
  const weekday = modulo(day + WEEKDAY_OF_DAY_0, DAYS_A_WEEK);
  // Of the rules that apply, the last one counts.
  const rule = rules.findLast((each) => isWithin(each, atMs) && holds(each, weekday, timeMs));
  return rule === undefined ? otherwise : rule.value;
}

function isWithin({ fromMs, toMs }: TimetableRule<unknown>, atMs: number): boolean {
  return atMs >= fromMs && atMs < toMs;
}

/** Returns true if the rule applies at a local time. A time that crosses midnight belongs to the day on which it begins. */
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
 * Returns the next changes of the value after an instant, at most two, at most eight days ahead. A local time that the
 * clock skips takes effect at the jump; in an hour that is repeated, rules apply both times. Throws a RangeError if the
 * zone is unknown.
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

/** Yields the instants at which a rule can begin or end, ascending. Between two of them the value does not change. */
function* edgesAfter(timetable: Timetable<unknown>, zone: string, afterMs: number): Generator<Edge> {
  const timesMs = edgeTimes(timetable);
  const instantsMs = timetable.rules.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).toSorted((a, b) => a - b);
  for (const { fromMs, toMs, offsetMs } of evenStretches(zone, afterMs, afterMs + HORIZON_MS + 1)) {
    const firstDay = Math.floor((fromMs + offsetMs) / DAY_MS);
    for (let day = firstDay; day * DAY_MS - offsetMs < toMs; day += 1) {
      const midnightMs = day * DAY_MS - offsetMs;
      const beginMs = Math.max(midnightMs, fromMs);
      const endMs = Math.min(midnightMs + DAY_MS, toMs);
      // At the start of a stretch the wall clock may have jumped over the time of a rule.
      const edges = [beginMs, ...timesMs.map((timeMs) => midnightMs + timeMs), ...instantsMs];
      const inside = edges.filter((atMs) => atMs >= beginMs && atMs < endMs && atMs > afterMs);
      for (const atMs of inside.toSorted((a, b) => a - b)) yield { atMs, offsetMs };
    }
  }
}

/** Returns the local times at which a rule begins or ends, ms after midnight, each once. */
function edgeTimes({ rules }: Timetable<unknown>): readonly number[] {
  const times = rules.flatMap(({ daily }) =>
    daily === null ? [] : [daily.beginsMs % DAY_MS, (daily.beginsMs + daily.lengthMs) % DAY_MS],
  );
  return [...new Set(times)];
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
