/**
 * Recognizes which vehicle charges at which charger: both were plugged in at the same time and location, and their powers
 * change alike (rule S11.1). Times are monotonic ms.
 */

import { MINUTE_MS } from "../duration.ts";

/** Charger and vehicle may report the same plug-in with this difference, ms. */
const PLUG_TOLERANCE_MS = 2 * MINUTE_MS;
/** Powers are compared over this time, ms. */
export const POWER_WINDOW_MS = 10 * MINUTE_MS;
const POWER_STEP_MS = 10_000;
const LEAST_CORRELATION = 0.9;

/** A power from a time on, kW; `null` if not known. */
export interface PowerSince {
  readonly atMs: number;
  readonly kilowatts: number | null;
}

/** The state of a charger or a vehicle that pairing compares. */
export interface PlugSide {
  readonly userId: string;
  readonly locationId: string | null;
  /** `null` if the device does not report it. */
  readonly isPluggedIn: boolean | null;
  /** When the plug-in was observed; `null` while unplugged, or if it was not observed. */
  readonly pluggedInAtMs: number | null;
  /** Oldest first. */
  readonly powers: readonly PowerSince[];
}

/** Returns true if the plugs show that the two may be connected. Their powers still have to be compared. */
export function mayBePaired(charger: PlugSide, vehicle: PlugSide): boolean {
  return (
    charger.userId === vehicle.userId &&
    charger.locationId !== null &&
    charger.locationId === vehicle.locationId &&
    charger.isPluggedIn === true &&
    vehicle.isPluggedIn === true &&
    isSamePlugIn(charger, vehicle) === true
  );
}

/** Returns true if the powers changed alike for ten minutes, beginning shortly before the plug-in at the earliest. */
export function isPowerAlike(charger: PlugSide, vehicle: PlugSide, nowMs: number): boolean {
  if (charger.pluggedInAtMs === null || vehicle.pluggedInAtMs === null) return false;
  // The window begins before the plug-in, so that it contains at least one change of the power.
  const earliestEndMs = Math.max(charger.pluggedInAtMs, vehicle.pluggedInAtMs) + POWER_WINDOW_MS - PLUG_TOLERANCE_MS;
  if (nowMs < earliestEndMs) return false;
  // A device that reports with a delay reports the plug and the power with the same delay.
  const lagMs = vehicle.pluggedInAtMs - charger.pluggedInAtMs;
  const ones: number[] = [];
  const others: number[] = [];
  for (let atMs = nowMs - POWER_WINDOW_MS; atMs <= nowMs; atMs += POWER_STEP_MS) {
    const one = powerAt(charger.powers, atMs - Math.max(0, lagMs));
    const other = powerAt(vehicle.powers, atMs + Math.min(0, lagMs));
    if (one === null || other === null) return false;
    ones.push(one);
    others.push(other);
  }
  return (correlation(ones, others) ?? 0) >= LEAST_CORRELATION;
}

/**
 * Returns whether two that were paired before are connected now; `null` if that is not known. `wasTogether` is the last
 * result: it stays until a reading contradicts it.
 */
export function isTogether(charger: PlugSide, vehicle: PlugSide, wasTogether: boolean): boolean | null {
  if (charger.isPluggedIn === false || vehicle.isPluggedIn === false) return false;
  if (charger.userId !== vehicle.userId) return false;
  const isElsewhere = charger.locationId !== vehicle.locationId;
  if (isElsewhere && charger.locationId !== null && vehicle.locationId !== null) return false;
  const isSame = isSamePlugIn(charger, vehicle);
  if (wasTogether && isSame !== false) return true;
  return charger.isPluggedIn === null || vehicle.isPluggedIn === null ? null : isSame;
}

/** Returns Pearson's correlation coefficient of two rows of equal length; `null` if one of them is constant. */
export function correlation(ones: readonly number[], others: readonly number[]): number | null {
  const [meanOne, meanOther] = [meanOf(ones), meanOf(others)];
  let [both, one, other] = [0, 0, 0];
  for (const [index, value] of ones.entries()) {
    const [a, b] = [value - meanOne, (others[index] ?? 0) - meanOther];
    both += a * b;
    one += a * a;
    other += b * b;
  }
  return one === 0 || other === 0 ? null : both / Math.sqrt(one * other);
}

/** Returns whether both were plugged in at the same time; `null` if one plug-in was not observed. */
function isSamePlugIn({ pluggedInAtMs: one }: PlugSide, { pluggedInAtMs: other }: PlugSide): boolean | null {
  return one === null || other === null ? null : Math.abs(one - other) <= PLUG_TOLERANCE_MS;
}

/** Returns the power at a time; `null` before the first one. */
function powerAt(powers: readonly PowerSince[], atMs: number): number | null {
  return powers.findLast((power) => power.atMs <= atMs)?.kilowatts ?? null;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
