import { MINUTE_MS } from "../duration.ts";
import type { ActionTargetType } from "./action.ts";

/** How often a command is sent again and how long its action may run, ms (rule S2.8). */
export interface ActionTiming {
  /** The time after which a command that the device has not carried out is sent again, ms. */
  readonly resendMs: number;
  /** The time after its creation at which the action ends in any case, ms. */
  readonly windowMs: number;
}
export type ActionTimings = Readonly<Record<ActionTargetType, ActionTiming>>;

export const ACTION_TIMINGS: ActionTimings = {
  charger: { resendMs: 15_000, windowMs: 5 * MINUTE_MS },
  vehicle: { resendMs: 15_000, windowMs: 5 * MINUTE_MS },
  battery: { resendMs: 30_000, windowMs: 10 * MINUTE_MS },
  hvac: { resendMs: 30_000, windowMs: 10 * MINUTE_MS },
};

/**
 * Returns how much of an action's window is left after a restart, ms. Only the wall clock knows how long the gateway was
 * stopped; if it cannot be trusted, the action gets the whole window again. So a clock that jumps can lengthen an action
 * by at most one window, and never ends one that has just begun.
 */
export function remainingWindowMs(windowMs: number, createdAtMs: number, nowMs: number, isClockSet: boolean): number {
  const elapsedMs = nowMs - createdAtMs;
  if (!isClockSet || elapsedMs < 0) return windowMs;
  return Math.max(0, windowMs - elapsedMs);
}
