/**
 * Which vehicle charges at which charger, told from both sides: they were plugged in at the same time and place, and
 * their power moves alike (rule S11.1). Times are monotonic ms.
 */

/** Plug-ins this far apart may be one, ms. */
const PLUG_TOLERANCE_MS = 2 * 60_000;
/** Powers are compared over this long, ms. */
export const POWER_WINDOW_MS = 10 * 60_000;
const POWER_STEP_MS = 10_000;
const LEAST_CORRELATION = 0.9;

/** A power from a time on, kW; null: not known. */
export interface PowerSince {
  readonly atMs: number;
  readonly kilowatts: number | null;
}

/** What a charger or a vehicle shows of its plug. */
export interface PlugSide {
  readonly userId: string;
  readonly locationId: string | null;
  /** Null: it cannot tell. */
  readonly isPluggedIn: boolean | null;
  /** When it was seen to be plugged in; null while unplugged, and when nobody saw it. */
  readonly pluggedInAtMs: number | null;
  /** Oldest first. */
  readonly powers: readonly PowerSince[];
}

/** True when the plugs alone say that the two may be connected: what is left is to compare their power. */
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

/** True when the power of two that may be paired moved alike for ten minutes, the first ones at the earliest. */
export function isPowerAlike(charger: PlugSide, vehicle: PlugSide, nowMs: number): boolean {
  if (charger.pluggedInAtMs === null || vehicle.pluggedInAtMs === null) return false;
  // The window begins before the plug-in, so that a power that never moves again shows its one step.
  const earliestEndMs = Math.max(charger.pluggedInAtMs, vehicle.pluggedInAtMs) + POWER_WINDOW_MS - PLUG_TOLERANCE_MS;
  if (nowMs < earliestEndMs) return false;
  // A device that tells late tells the plug and the power equally late.
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
 * Whether two that are known to belong together are connected now. Null: it cannot be told. `wasTogether` is what was
 * said last: it holds until something speaks against it.
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

/** Pearson's coefficient of two rows of equal length; null when one of them never moves. */
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

/** Null: one of the plug-ins was not seen. */
function isSamePlugIn({ pluggedInAtMs: one }: PlugSide, { pluggedInAtMs: other }: PlugSide): boolean | null {
  return one === null || other === null ? null : Math.abs(one - other) <= PLUG_TOLERANCE_MS;
}

/** Null before the first of them. */
function powerAt(powers: readonly PowerSince[], atMs: number): number | null {
  return powers.findLast((power) => power.atMs <= atMs)?.kilowatts ?? null;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
