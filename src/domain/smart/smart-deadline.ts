/** Times of day as policies give them, as instants of a zone. */
import { Temporal } from "temporal-polyfill";
import { minutesOf } from "../hour-minute.ts";

/** The first instant after `nowMs` at which a zone's clocks show the time of day. */
export function nextTimeOfDay(nowMs: number, hourMinute: string, zone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  // 24:00 of yesterday is 00:00 of today.
  for (const days of [-1, 0, 1, 2]) {
    const atMs = timeOfDay(today.add({ days }), hourMinute, zone);
    if (atMs > nowMs) return atMs;
  }
  return timeOfDay(today.add({ days: 3 }), hourMinute, zone);
}

/** The last instant before `atMs` at which a zone's clocks showed the time of day. */
export function previousTimeOfDay(atMs: number, hourMinute: string, zone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  for (const days of [1, 0, -1, -2]) {
    const earlierMs = timeOfDay(today.add({ days }), hourMinute, zone);
    if (earlierMs < atMs) return earlierMs;
  }
  return timeOfDay(today.add({ days: -3 }), hourMinute, zone);
}

/** A repeated time counts when it comes first; a skipped one at the jump. */
function timeOfDay(day: Temporal.PlainDate, hourMinute: string, zone: string): number {
  const minutes = minutesOf(hourMinute);
  const date = minutes === 24 * 60 ? day.add({ days: 1 }) : day;
  const time = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 });
  const local = date.toPlainDateTime(time);
  const zoned = local.toZonedDateTime(zone, { disambiguation: "compatible" });
  if (zoned.toPlainDateTime().equals(local)) return zoned.epochMilliseconds;
  return zoned.getTimeZoneTransition("previous")?.epochMilliseconds ?? zoned.epochMilliseconds;
}

/** What a zone's clocks show at an instant, HH:MM. */
export function timeOfDayAt(atMs: number, zone: string): string {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
