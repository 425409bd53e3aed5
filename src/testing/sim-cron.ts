import { Temporal } from "temporal-polyfill";
import { type CronFields, parseCron, runAtTimes } from "../platform/cron.ts";
import type { Cron, CronTime } from "../platform/ports/cron-port.ts";
import type { Clock } from "../platform/ports/ports.ts";

/** An expression that fits no day within eight years fits none: the longest pause between two 29ths of February. */
const MAX_DAYS = 8 * 366;

/** Cron times on a simulated clock. */
export class SimCron implements Cron {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  schedule({ expression, timeZone }: CronTime, run: () => void): Disposable {
    const fields = parseCron(expression);
    return runAtTimes(this.#clock, () => nextTime(fields, timeZone, this.#clock.nowMs()), run);
  }

  nextRuns({ expression, timeZone }: CronTime, count: number): readonly number[] {
    const fields = parseCron(expression);
    const times: number[] = [];
    while (times.length < count) times.push(nextTime(fields, timeZone, times.at(-1) ?? this.#clock.nowMs()));
    return times;
  }
}

function nextTime(fields: CronFields, timeZone: string, afterMs: number): number {
  const now = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(timeZone).toPlainDateTime();
  let day = now.toPlainDate();
  for (let days = 0; days < MAX_DAYS; days++) {
    if (isDayOf(fields, day)) {
      for (const time of timesOf(fields, day)) {
        const isPast = Temporal.PlainDateTime.compare(time, now) <= 0;
        const atMs = isPast ? null : instantOf(time, timeZone);
        if (atMs !== null && atMs > afterMs) return atMs;
      }
    }
    day = day.add({ days: 1 });
  }
  throw new RangeError("no such day within eight years");
}

function isDayOf({ daysOfMonth, months, daysOfWeek }: CronFields, day: Temporal.PlainDate): boolean {
  return daysOfMonth.includes(day.day) && months.includes(day.month) && daysOfWeek.includes(day.dayOfWeek % 7);
}

function timesOf({ hours, minutes }: CronFields, day: Temporal.PlainDate): readonly Temporal.PlainDateTime[] {
  const ascending = (values: readonly number[]): number[] => [...values].sort((one, other) => one - other);
  return ascending(hours).flatMap((hour) => ascending(minutes).map((minute) => day.toPlainDateTime({ hour, minute })));
}

/** Returns the instant of a local time, wall-clock ms; `null` if the day has no such time. */
function instantOf(time: Temporal.PlainDateTime, timeZone: string): number | null {
  const isTime = (date: Temporal.ZonedDateTime): boolean => date.toPlainDateTime().equals(time);
  const utc = time.toZonedDateTime("UTC");
  // Which of two equal local times: node-cron's choice follows from the offset that it tries first.
  const first = utc.subtract({ nanoseconds: utc.withTimeZone(timeZone).offsetNanoseconds });
  const second = utc.subtract({ nanoseconds: first.withTimeZone(timeZone).offsetNanoseconds });
  const date = [first, second].map((each) => each.withTimeZone(timeZone)).find(isTime);
  return date?.epochMilliseconds ?? null;
}
