import type { ActionTargetType } from "./action.ts";

/** How an action is driven, ms (rule S2.8). */
export interface ActionTiming {
  /** A command that was not followed yet is sent again this long after the last time. */
  readonly resendMs: number;
  /** The action ends this long after it was created, whatever came of it. */
  readonly windowMs: number;
}
export type ActionTimings = Readonly<Record<ActionTargetType, ActionTiming>>;

export const ACTION_TIMINGS: ActionTimings = {
  charger: { resendMs: 15_000, windowMs: 5 * 60_000 },
  vehicle: { resendMs: 15_000, windowMs: 5 * 60_000 },
  battery: { resendMs: 30_000, windowMs: 10 * 60_000 },
  hvac: { resendMs: 30_000, windowMs: 10 * 60_000 },
};

/**
 * What is left of an action's window after a restart, ms. The wall clock is the only witness of the time that the
 * gateway was away; where it cannot be trusted the whole window is given again. So a stepped clock can lengthen an
 * action by at most one window and never ends one that has just begun.
 */
export function remainingWindowMs(windowMs: number, createdAtMs: number, nowMs: number, isClockSet: boolean): number {
  const elapsedMs = nowMs - createdAtMs;
  if (!isClockSet || elapsedMs < 0) return windowMs;
  return Math.max(0, windowMs - elapsedMs);
}
