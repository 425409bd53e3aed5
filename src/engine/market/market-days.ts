/** The days of a market on its own wall clock. Pure. */
import { Temporal } from "temporal-polyfill";
import type { Market, MarketDay } from "../../sdk/market-source.ts";

/** The date on a zone's wall clock, some days later, such as `2026-03-29`. */
export function dateAt(zone: string, atMs: number, daysLater = 0): string {
  const date = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  return date.add({ days: daysLater }).toString();
}

export function marketDay(zone: string, date: string): MarketDay {
  const day = Temporal.PlainDate.from(date);
  return {
    date,
    fromMs: day.toZonedDateTime(zone).epochMilliseconds,
    toMs: day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds,
  };
}

/** When the prices of a day are usually there, ms since 1970. */
export function publishedMs({ timezone, publishedAt }: Pick<Market, "timezone" | "publishedAt">, date: string): number {
  const before = Temporal.PlainDate.from(date).subtract({ days: 1 });
  return before.toZonedDateTime({ timeZone: timezone, plainTime: Temporal.PlainTime.from(publishedAt) })
    .epochMilliseconds;
}
