/** Converts times of day in a time zone to instants, for the deadlines of policies. */
import { Temporal } from "temporal-polyfill";
import { minutesOf } from "../hour-minute.ts";

/** Returns the first instant after `nowMs` at which it is the time of day (HH:MM) in the zone, wall-clock ms. */
export function nextTimeOfDay(nowMs: number, hourMinute: string, zone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(nowMs).toZonedDateTimeISO(zone).toPlainDate();
  // 24:00 of yesterday is 00:00 of today.
  for (const days of [-1, 0, 1, 2]) {
    const atMs = timeOfDay(today.add({ days }), hourMinute, zone);
    if (atMs > nowMs) return atMs;
  }
  return timeOfDay(today.add({ days: 3 }), hourMinute, zone);
}

/** Returns the last instant before `atMs` at which it was the time of day (HH:MM) in the zone, wall-clock ms. */
export function previousTimeOfDay(atMs: number, hourMinute: string, zone: string): number {
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone).toPlainDate();
  for (const days of [1, 0, -1, -2]) {
    const earlierMs = timeOfDay(today.add({ days }), hourMinute, zone);
    if (earlierMs < atMs) return earlierMs;
  }
  return timeOfDay(today.add({ days: -3 }), hourMinute, zone);
}

/** Of a repeated time the first one counts; a time that the clock skips counts at the jump. */
function timeOfDay(day: Temporal.PlainDate, hourMinute: string, zone: string): number {
  const minutes = minutesOf(hourMinute);
  const date = minutes === 24 * 60 ? day.add({ days: 1 }) : day;
  const time = Temporal.PlainTime.from({ hour: Math.floor(minutes / 60) % 24, minute: minutes % 60 });
  const local = date.toPlainDateTime(time);
  const zoned = local.toZonedDateTime(zone, { disambiguation: "compatible" });
  if (zoned.toPlainDateTime().equals(local)) return zoned.epochMilliseconds;
  return zoned.getTimeZoneTransition("previous")?.epochMilliseconds ?? zoned.epochMilliseconds;
}

/** Returns the time of day in the zone at an instant, HH:MM. */
export function timeOfDayAt(atMs: number, zone: string): string {
  const { hour, minute } = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}
