/** The intervals of a tariff laid over a week: where they clash, and how they read in UTC. Pure. */
import { minutesOf } from "../hour-minute.ts";
import type { Issue } from "../problem.ts";
import type { TariffEntry, TariffInterval, TariffLink } from "./tariff.ts";

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
export const DAY_MINUTES = 24 * 60;
/** More clashes than these are not listed. */
const MAX_ISSUES = 20;

/** HH:MM of minutes since midnight, 0 to 1440. */
export function hourMinuteOf(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The days of an interval, each once, 0 is Monday. */
export function weekdaysOf({ weekdays }: Pick<TariffInterval, "weekdays">): readonly number[] {
  return weekdays === undefined ? DAYS : [...new Set(weekdays)].sort();
}

/** What is wrong with intervals beside their own shape: those that overlap, and names that the tariff lacks. */
export function intervalIssues(intervals: readonly TariffInterval[], names: ReadonlySet<string>): readonly Issue[] {
  const unknown = intervals.flatMap(({ name }, index) =>
    names.has(name)
      ? []
      : issueAt(index, "name", `The tariff has no rate "${name}"; it has ${[...names].join(", ") || "none"}`),
  );
  return [...unknown, ...overlaps(intervals)].slice(0, MAX_ISSUES);
}

function overlaps(intervals: readonly TariffInterval[]): readonly Issue[] {
  const found: Issue[] = [];
  const clashing = new Set<string>();
  for (const day of DAYS) {
    const ofDay = intervals
      .map((interval, index) => ({ interval, index }))
      .filter(({ interval }) => weekdaysOf(interval).includes(day))
      .sort((a, b) => (a.interval.from < b.interval.from ? -1 : 1));
    // In order of their starts the longest so far is the only one that a later one can meet.
    let longest = ofDay[0];
    for (const next of ofDay.slice(1)) {
      if (longest === undefined) break;
      const pair = `${Math.min(longest.index, next.index)} ${Math.max(longest.index, next.index)}`;
      if (next.interval.from < longest.interval.to && !clashing.has(pair)) {
        clashing.add(pair);
        found.push(...clash(longest, next, day));
      }
      if (next.interval.to > longest.interval.to) longest = next;
    }
  }
  return found;
}

interface Placed {
  readonly interval: TariffInterval;
  readonly index: number;
}

function clash(one: Placed, other: Placed, day: number): readonly Issue[] {
  const [earlier, later] = one.index < other.index ? [one, other] : [other, one];
  const message = `${textOf(later.interval)} overlaps ${textOf(earlier.interval)} of interval ${earlier.index} on weekday ${day}`;
  return issueAt(later.index, "from", message);
}

function textOf({ name, from, to }: TariffInterval): string {
  return `"${name}" ${from}–${to}`;
}

function issueAt(index: number, field: string, message: string): readonly Issue[] {
  return [{ code: "custom", path: ["tariffIntervals", index, field], message, in: "body" }];
}

/**
 * The entries of a link as they read in UTC while the location's clock is `offsetMinutes` ahead of it. What crosses
 * midnight in UTC is split there; each entry covers the same instants as the interval it comes from.
 */
export function entriesInUtc({ tariffId, tariffIntervals }: TariffLink, offsetMinutes: number): readonly TariffEntry[] {
  return tariffIntervals
    .flatMap(({ name, from, to, weekdays }) => {
      const pieces = piecesInUtc(minutesOf(from) - offsetMinutes, minutesOf(to) - offsetMinutes);
      const days = weekdays === undefined ? [null] : weekdaysOf({ weekdays });
      return days.flatMap((day) =>
        pieces.map(
          ({ dayShift, fromMinute, toMinute }): TariffEntry => ({
            ...(day !== null && { weekday: (((day + dayShift) % 7) + 7) % 7 }),
            fromHourMinute: hourMinuteOf(fromMinute),
            toHourMinute: hourMinuteOf(toMinute),
            tariffId,
            tariffName: name,
          }),
        ),
      );
    })
    .sort((a, b) => compareEntries(a, b));
}

interface Piece {
  /** Days from the local day to the day in UTC. */
  readonly dayShift: number;
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** The parts of [from, to), minutes from the local day's midnight, that lie in one day of UTC each. */
function piecesInUtc(from: number, to: number): readonly Piece[] {
  const pieces: Piece[] = [];
  for (let start = from; start < to; ) {
    const dayShift = Math.floor(start / DAY_MINUTES);
    const midnight = dayShift * DAY_MINUTES;
    const end = Math.min(to, midnight + DAY_MINUTES);
    pieces.push({ dayShift, fromMinute: start - midnight, toMinute: end - midnight });
    start = end;
  }
  return pieces;
}

function compareEntries(a: TariffEntry, b: TariffEntry): number {
  const byDay = (a.weekday ?? -1) - (b.weekday ?? -1);
  if (byDay !== 0) return byDay;
  return a.fromHourMinute < b.fromHourMinute ? -1 : a.fromHourMinute > b.fromHourMinute ? 1 : 0;
}
