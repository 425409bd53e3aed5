/** When what was spent counts no more. */
import { DAY_MS } from "hemgate/sdk";
import type { BudgetRule } from "../connector.ts";
import type { Moment } from "./steady-wall.ts";

const LONGEST_MONTH_DAYS = 31;
/** What the vendor's midnight may be away from ours: two clocks, and a request on its way. */
const MIDNIGHT_MARGIN_MS = 90_000;

type Window = Pick<BudgetRule, "window" | "windowMs">;

/** The longest time that a unit can count, ms. */
export function longestMs({ window, windowMs }: Window): number {
  if (window === "sliding") return windowMs;
  return window === "day" ? DAY_MS : LONGEST_MONTH_DAYS * DAY_MS;
}

/**
 * When a unit that was spent at `atMs` counts no more, monotonic ms. Days and months need a wall clock that is right:
 * without one, and for as long after a step, they count like a sliding window of their greatest length, which never lets
 * more through than they do.
 */
export function countsUntilMs(window: Window, atMs: number, moment: Moment): number {
  const slidingMs = atMs + longestMs(window);
  const offsetMs = calendarOffsetMs(window, moment);
  if (offsetMs === null) return slidingMs;
  const endMs = endOf(window.window, atMs + offsetMs + MIDNIGHT_MARGIN_MS) + MIDNIGHT_MARGIN_MS - offsetMs;
  return Math.min(slidingMs, endMs);
}

/**
 * When what was spent in the calendar window counts no more, monotonic ms; null when the window slides. Shortly after
 * midnight that is soon: the new day is not planned with what is left of the old one.
 */
export function windowEndMs(window: Window, moment: Moment): number | null {
  const offsetMs = calendarOffsetMs(window, moment);
  if (offsetMs === null) return null;
  return endOf(window.window, moment.nowMs + offsetMs - MIDNIGHT_MARGIN_MS) + MIDNIGHT_MARGIN_MS - offsetMs;
}

function calendarOffsetMs(window: Window, { nowMs, wallOffsetMs, steppedAtMs }: Moment): number | null {
  const isInDoubt = nowMs - steppedAtMs < longestMs(window);
  return window.window === "sliding" || isInDoubt ? null : wallOffsetMs;
}

function endOf(window: BudgetRule["window"], wallMs: number): number {
  const at = new Date(wallMs);
  if (window === "month") return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  return (Math.floor(wallMs / DAY_MS) + 1) * DAY_MS;
}
