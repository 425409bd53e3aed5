/** The intervals of a tariff over a week: finds overlaps, and converts them to UTC. */
import { minutesOf } from "../hour-minute.ts";
import type { Issue } from "../problem.ts";
import type { TariffEntry, TariffInterval, TariffLink } from "./tariff.ts";

const DAYS = [0, 1, 2, 3, 4, 5, 6] as const;
export const DAY_MINUTES = 24 * 60;
/** Highest number of issues that are listed. */
const MAX_ISSUES = 20;

/** Formats minutes since midnight, 0 to 1440, as HH:MM. */
export function hourMinuteOf(minute: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** Returns the days of an interval, ascending, each once; 0 is Monday. */
export function weekdaysOf({ weekdays }: Pick<TariffInterval, "weekdays">): readonly number[] {
  return weekdays === undefined ? DAYS : [...new Set(weekdays)].sort();
}

/** Returns issues for intervals that overlap and for rates that the tariff does not have. */
export function intervalIssues(intervals: readonly TariffInterval[], names: ReadonlySet<string>): readonly Issue[] {
  const unknown = intervals.flatMap(({ name }, index) =>
    names.has(name)
      ? []
      : issueAt(index, "name", `The tariff has no rate "${name}"; its rates: ${[...names].join(", ") || "none"}`),
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
    // In the order of their starts, only the interval that ends last so far can overlap a later one.
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
 * Converts a location's tariff intervals to UTC. `offsetMinutes` is how far the location's clock is ahead of UTC. An
 * interval that crosses midnight in UTC is split there.
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
  /** Number of days between the local day and the day in UTC. */
  readonly dayShift: number;
  readonly fromMinute: number;
  readonly toMinute: number;
}

/** Splits [from, to), minutes relative to the UTC midnight of the local day's date, at each midnight in UTC. */
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
