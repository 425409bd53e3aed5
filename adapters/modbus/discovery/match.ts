import type { DeviceProfile, Fingerprint, FingerprintCheck, RegisterValue } from "hemgate/sdk";
import type { ProbedUnit } from "./probed-unit.ts";

/** Sure enough that no other profile is asked about. */
const DECISIVE = 0.9;

/** A profile that a search can know. */
export interface KnownDevice {
  readonly profile: DeviceProfile;
  readonly fingerprint: Fingerprint;
}

/** A device that was known, and what its plate says. */
export interface Match {
  readonly profile: DeviceProfile;
  readonly certainty: number;
  readonly plate: Readonly<Partial<Record<NonNullable<FingerprintCheck["tells"]>, string>>>;
}

/** The profile that a unit is known as; null when it is none of them. Two that fit alike make each half as sure. */
export async function matchProfiles(
  unit: ProbedUnit,
  known: readonly KnownDevice[],
  signal: AbortSignal,
): Promise<Match | null> {
  let best: Match | null = null;
  for (const { profile, fingerprint } of known) {
    if (unit.isSpent) break;
    const plate = await plateOf(unit, fingerprint, signal);
    if (plate === null) continue;
    const match: Match = { profile, certainty: fingerprint.certainty, plate };
    if (match.certainty >= DECISIVE) return match;
    if (best === null || match.certainty > best.certainty) best = match;
    else if (match.certainty === best.certainty) best = halfAsSure(best);
  }
  return best;
}

function halfAsSure(match: Match): Match {
  return { ...match, certainty: match.certainty / 2 };
}

/** Null when a register does not hold what it has to. */
async function plateOf(unit: ProbedUnit, { checks }: Fingerprint, signal: AbortSignal): Promise<Match["plate"] | null> {
  const plate: Partial<Record<NonNullable<FingerprintCheck["tells"]>, string>> = {};
  for (const check of checks) {
    const value = await unit.value(check, signal);
    if (!holds(check, value)) return null;
    if (check.tells !== undefined && value !== null) plate[check.tells] = String(value);
  }
  return plate;
}

/** Whether a register holds what a check wants. Without a value it holds only where any will do. */
function holds({ is, pattern, min, max }: FingerprintCheck, value: RegisterValue): boolean {
  if (is === undefined && pattern === undefined && min === undefined && max === undefined) return true;
  if (value === null) return false;
  if (is !== undefined && !is.includes(value)) return false;
  if (pattern !== undefined && !new RegExp(pattern).test(String(value))) return false;
  if (min === undefined && max === undefined) return true;
  return typeof value === "number" && value >= (min ?? -Infinity) && value <= (max ?? Infinity);
}
