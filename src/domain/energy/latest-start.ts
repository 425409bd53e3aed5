/** When charging has to start so that a target is reached in time: the rule of `PLANNED` without a plan. */
import { HOUR_MS, MINUTE_MS } from "../duration.ts";

/** Single-phase at 16 A, W: assumed until the car has shown what it draws. */
export const LEAST_FULL_W = 3_680;
/** Time that is reserved where the missing energy is not known, ms. */
const UNKNOWN_NEED_MS = 8 * HOUR_MS;
const START_FACTOR = 1.25;
const START_SPARE_MS = 15 * MINUTE_MS;
/** Charging that turns out to be faster is paused only if it can start again much later. */
const PAUSE_FACTOR = 1.6;
const PAUSE_SPARE_MS = 45 * MINUTE_MS;

export interface ChargeNeed {
  /** Wall-clock ms. */
  readonly dueMs: number;
  /** Energy to charge, Wh; `null` if not known. */
  readonly neededWh: number | null;
  /** Power of charging without limits, W. */
  readonly fullW: number;
}

/** Returns the latest time to start, wall-clock ms; later by a margin if it `isCharging`, so that it does not flip. */
export function latestStartMs({ dueMs, neededWh, fullW }: ChargeNeed, isCharging: boolean): number {
  const needMs = neededWh === null ? UNKNOWN_NEED_MS : (neededWh / fullW) * HOUR_MS;
  return isCharging ? dueMs - needMs * PAUSE_FACTOR - PAUSE_SPARE_MS : dueMs - needMs * START_FACTOR - START_SPARE_MS;
}
