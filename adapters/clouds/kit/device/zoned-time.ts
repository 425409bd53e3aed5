/** Wall times as vendors write them: without an offset, in the zone of the site. */
import { Temporal } from "temporal-polyfill";

const LOCAL = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)$/;

export interface InstantOptions {
  /** The instant is not before this one, ms since 1970; it tells the second pass of a doubled hour from the first. */
  readonly notBeforeMs?: number;
}

/**
 * The instant of a wall time such as `2026-03-29 02:30:00` (or with a `T`) in an IANA zone, ms since 1970. A time that
 * the zone leaves out is the instant after the gap; one that it has twice is the first, unless that is before
 * `notBeforeMs`. Null: the text is no such time, or there is no such zone.
 */
export function toInstant(localText: string, zone: string, { notBeforeMs }: InstantOptions = {}): number | null {
  const [, date, time] = LOCAL.exec(localText.trim()) ?? [];
  if (date === undefined || time === undefined) return null;
  try {
    const local = Temporal.PlainDateTime.from(`${date}T${time}`, { overflow: "reject" });
    const first = local.toZonedDateTime(zone, { disambiguation: "earlier" });
    const second = local.toZonedDateTime(zone, { disambiguation: "later" });
    if (!first.toPlainDateTime().equals(local)) return first.getTimeZoneTransition("next")?.epochMilliseconds ?? null;
    const isTooEarly = notBeforeMs !== undefined && first.epochMilliseconds < notBeforeMs;
    return isTooEarly ? second.epochMilliseconds : first.epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The date in an IANA zone at an instant, such as `2026-03-29`; null when there is no such zone. */
export function localDay(nowMs: number, zone: string): string | null {
  try {
    return Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate().toString();
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
