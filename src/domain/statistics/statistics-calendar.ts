/** Days and months of a time zone's calendar. A day can have 23 or 25 hours, or begin after midnight. */
import { Temporal } from "temporal-polyfill";
import type { Span } from "./statistics-reading.ts";

interface LocalDate {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** 1 to 31. */
  readonly day: number;
}

/** Returns the span of a day in the zone; `null` if the calendar does not have the day. */
export function localDay(zone: string, { year, month, day }: LocalDate): Span | null {
  const date = plainDate(year, month, day);
  if (date === null) return null;
  return { fromMs: startOf(date, zone), toMs: startOf(date.add({ days: 1 }), zone) };
}

/** Returns the start of a day in the zone, wall-clock ms. `day` is YYYY-MM-DD. */
export function startOfDay(zone: string, day: string): number {
  return startOf(Temporal.PlainDate.from(day), zone);
}

/** Returns the days of a month in the zone, ascending. */
export function localMonth(zone: string, year: number, month: number): Span[] {
  const days: Span[] = [];
  for (let day = 1; ; day++) {
    const span = localDay(zone, { year, month, day });
    if (span === null) return days;
    days.push(span);
  }
}

/** Returns the day in the zone that contains an instant. */
export function localDayAt(zone: string, atMs: number): Span {
  const date = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  return { fromMs: startOf(date, zone), toMs: startOf(date.add({ days: 1 }), zone) };
}

/** Returns the month in the zone that contains an instant. */
export function localMonthAt(zone: string, atMs: number): Span {
  const date = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate().with({ day: 1 });
  return { fromMs: startOf(date, zone), toMs: startOf(date.add({ months: 1 }), zone) };
}

/** Formats an instant as RFC 3339 to the second, with the zone's offset at that time. */
export function localText(zone: string, atMs: number): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs)
    .toZonedDateTimeISO(zone)
    .toString({ timeZoneName: "never", smallestUnit: "second" });
}

/** Splits a span into pieces of a length; the last one may be shorter. */
export function pieces({ fromMs, toMs }: Span, lengthMs: number): Span[] {
  const cut: Span[] = [];
  for (let atMs = fromMs; atMs < toMs; atMs += lengthMs)
    cut.push({ fromMs: atMs, toMs: Math.min(atMs + lengthMs, toMs) });
  return cut;
}

function plainDate(year: number, month: number, day: number): Temporal.PlainDate | null {
  try {
    return Temporal.PlainDate.from({ year, month, day }, { overflow: "reject" });
  } catch {
    return null;
  }
}

function startOf(date: Temporal.PlainDate, zone: string): number {
  return date.toZonedDateTime(zone).epochMilliseconds;
}
