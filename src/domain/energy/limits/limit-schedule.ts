/** Limits by the wall clock, as the configuration has them. Pure. */
import { DAY_MS, MINUTE_MS } from "../../duration.ts";
import { type HourMinute, minutesOf } from "../../hour-minute.ts";
import { offsetAt } from "../../schedules/schedule-zone.ts";

/** 1970-01-01 was a Thursday; 0 is Monday. */
const WEEKDAY_OF_EPOCH = 3;

export interface ScheduledLimit {
  readonly direction: "import" | "export";
  readonly scope: "connection" | "controllable";
  readonly kw: number;
  readonly from: HourMinute;
  readonly to: HourMinute;
  /** 0 is Monday; absent: all days. */
  readonly weekdays?: readonly number[] | undefined;
}

/**
 * Returns the limits in force at a moment of the zone's wall clock. `to` before `from` crosses midnight, and the weekday
 * is that of the beginning. While the clock is not set (`atMs` is `null`), all apply: an operator's limit is not missed.
 */
export function scheduledLimits<Entry extends ScheduledLimit>(
  entries: readonly Entry[],
  zone: string,
  atMs: number | null,
): readonly Entry[] {
  if (atMs === null) return entries;
  const localMs = atMs + offsetAt(zone, atMs);
  const minute = Math.floor((localMs % DAY_MS) / MINUTE_MS);
  const weekday = (Math.floor(localMs / DAY_MS) + WEEKDAY_OF_EPOCH) % 7;
  return entries.filter(({ from, to, weekdays = EVERY_DAY }) => {
    const [begin, end] = [minutesOf(from), minutesOf(to)];
    const isToday = weekdays.includes(weekday);
    if (begin < end) return isToday && minute >= begin && minute < end;
    const isYesterdays = weekdays.includes((weekday + 6) % 7) && minute < end;
    return isYesterdays || (isToday && minute >= begin);
  });
}

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6];
