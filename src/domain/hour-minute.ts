import { z } from "zod";

/** A time of day, HH:MM: 00:00 to 23:59, and 24:00 for the end of the day. */
export const HourMinute = z.string().regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, "Expected HH:MM, 00:00 to 24:00");
export type HourMinute = z.infer<typeof HourMinute>;

/** Returns the minutes after midnight, 0 to 1440. */
export function minutesOf(time: HourMinute): number {
  const [hours, minutes] = time.split(":");
  return Number(hours) * 60 + Number(minutes);
}
