/** The days of a market in its time zone. */
import { Temporal } from "temporal-polyfill";
import type { Market, MarketDay } from "../../sdk/market-source.ts";

/** Returns the date in a time zone, a number of days later, such as `2026-03-29`. */
export function dateAt(zone: string, atMs: number, daysLater = 0): string {
  const date = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  return date.add({ days: daysLater }).toString();
}

/** Returns the span of a date in a time zone. */
export function marketDay(zone: string, date: string): MarketDay {
  const day = Temporal.PlainDate.from(date);
  return {
    date,
    fromMs: day.toZonedDateTime(zone).epochMilliseconds,
    toMs: day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds,
  };
}

/** Returns when the prices of a day are usually published, wall-clock ms. */
export function publishedMs({ timezone, publishedAt }: Pick<Market, "timezone" | "publishedAt">, date: string): number {
  const before = Temporal.PlainDate.from(date).subtract({ days: 1 });
  return before.toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from(publishedAt) })
    .epochMilliseconds;
}
