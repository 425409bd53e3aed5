import { MINUTE_MS } from "../duration.ts";
import { previousTimeOfDay } from "../smart/smart-deadline.ts";

/** Times of day, HH:MM; `until` may be before `from`, on the next day. */
export interface QuietHours {
  readonly from: string;
  readonly until: string;
}

/**
 * Returns true within the quiet hours of the zone: what began last was their beginning. A time that the clock skips counts
 * at the jump, of a time that comes twice the first one counts.
 */
export function isQuiet(atMs: number, { from, until }: QuietHours, zone: string): boolean {
  return lastTimeOfDay(atMs, from, zone) > lastTimeOfDay(atMs, until, zone);
}

/** Returns the last instant, `atMs` included, at which it was the time of day (HH:MM) in the zone, wall-clock ms. */
export function lastTimeOfDay(atMs: number, hourMinute: string, zone: string): number {
  return previousTimeOfDay(atMs + 1, hourMinute, zone);
}

/** Panels are expected to answer above this elevation of the sun, degrees: below it an inverter may still sleep. */
const SUN_UP = 8;
/** Where the place is not known, panels are expected to answer between these hours, also in winter. */
const MIDDAY: QuietHours = { from: "11:00", until: "14:00" };
/** When anything else is expected to answer, if somebody is to hear of it. */
const DAY: QuietHours = { from: "07:00", until: "22:00" };

/**
 * Returns true while a silent device is worth a notification: by day, and for one that has panels while the sun is up.
 * `sunElevation` is in degrees, `null` if not known.
 */
export function isExpectedToAnswer(
  atMs: number,
  { hasPanels, sunElevation }: { readonly hasPanels: boolean; readonly sunElevation: number | null },
  zone: string,
): boolean {
  if (!isQuiet(atMs, DAY, zone)) return false;
  if (!hasPanels) return true;
  return sunElevation === null ? isQuiet(atMs, MIDDAY, zone) : sunElevation > SUN_UP;
}

/** How often the conditions are looked at, ms. */
export const LOOK_EVERY_MS = MINUTE_MS;
