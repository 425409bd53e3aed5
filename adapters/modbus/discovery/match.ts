import type { Fingerprint, FingerprintCheck, RegisterValue } from "hemgate/sdk";
import type { ProfileSummary } from "../profile/profile-summary.ts";
import type { ProbedUnit } from "./probed-unit.ts";

/** Sure enough that no other profile is asked about. */
const DECISIVE = 0.9;

/** A profile that a search can know. */
export interface KnownDevice {
  readonly profile: ProfileSummary;
  readonly fingerprint: Fingerprint;
}

/** A device that was known, and what its plate says. */
export interface Match {
  readonly profile: ProfileSummary;
  readonly certainty: number;
  readonly plate: Readonly<Partial<Record<NonNullable<FingerprintCheck["tells"]>, string>>>;
}

/** What may be asked of a unit. */
type AskedUnit = Pick<ProbedUnit, "isSpent" | "value">;

/** The profile that a unit is known as; null when it matches no profile. Two that fit alike make each half as sure. */
export async function matchProfiles(
  unit: AskedUnit,
  known: readonly KnownDevice[],
  signal: AbortSignal,
): Promise<Match | null> {
  let best: Match | null = null;
  let rivals = 0;
  const surestFirst = known.toSorted((one, other) => other.fingerprint.certainty - one.fingerprint.certainty);
  for (const { profile, fingerprint } of surestFirst) {
    const { certainty } = fingerprint;
    // No guess counts beside something surer, so nobody is asked for it.
    if (unit.isSpent || (best !== null && (best.certainty >= DECISIVE || certainty < best.certainty))) break;
    const plate = await plateOf(unit, fingerprint, signal);
    if (plate === null) continue;
    if (best === null) best = { profile, certainty, plate };
    else rivals += 1;
  }
  return best === null || rivals === 0 ? best : { ...best, certainty: best.certainty / 2 };
}

/** Null when a register does not hold what it has to. */
async function plateOf(unit: AskedUnit, { checks }: Fingerprint, signal: AbortSignal): Promise<Match["plate"] | null> {
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
