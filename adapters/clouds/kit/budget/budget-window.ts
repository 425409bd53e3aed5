/** When spent units stop counting, in budget time, ms. */
import { DAY_MS } from "hemgate/sdk";
import type { BudgetRule } from "../connector.ts";
import type { Moment } from "./budget-clock.ts";

const LONGEST_MONTH_DAYS = 31;
/** How far the vendor's midnight may be from ours, ms: two clocks, and a request on its way. */
const MIDNIGHT_MARGIN_MS = 90_000;

type Window = Pick<BudgetRule, "window" | "windowMs">;

/** Returns the longest time that a unit can count, ms. */
export function longestMs({ window, windowMs }: Window): number {
  if (window === "sliding") return windowMs;
  return window === "day" ? DAY_MS : LONGEST_MONTH_DAYS * DAY_MS;
}

/**
 * Returns when a unit that was spent at `atMs` stops counting. Days and months need the wall clock: while it is not
 * trusted, they count like a sliding window of their greatest length, which never lets more through.
 */
export function countsUntilMs(window: Window, atMs: number, now: Moment): number {
  const slidingMs = atMs + longestMs(window);
  const offsetMs = calendarOffsetMs(window, now);
  if (offsetMs === null) return slidingMs;
  const endMs = endOf(window.window, atMs + offsetMs + MIDNIGHT_MARGIN_MS) + MIDNIGHT_MARGIN_MS - offsetMs;
  return Math.min(slidingMs, endMs);
}

/**
 * Returns when the current calendar window ends; `null` if the window slides. Shortly after midnight that is soon: the new
 * day is not planned with what is left of the old one.
 */
export function windowEndMs(window: Window, now: Moment): number | null {
  const offsetMs = calendarOffsetMs(window, now);
  if (offsetMs === null) return null;
  return endOf(window.window, now.atMs + offsetMs - MIDNIGHT_MARGIN_MS) + MIDNIGHT_MARGIN_MS - offsetMs;
}

function calendarOffsetMs({ window }: Window, { atMs, wallMs }: Moment): number | null {
  return window === "sliding" || wallMs === null ? null : wallMs - atMs;
}

function endOf(window: BudgetRule["window"], wallMs: number): number {
  const at = new Date(wallMs);
  if (window === "month") return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  return (Math.floor(wallMs / DAY_MS) + 1) * DAY_MS;
}
