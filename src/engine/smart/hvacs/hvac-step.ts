/** One step of a unit's smart policy: its day, what the user had set, and what is to be held. No I/O. */
import type { HvacTarget } from "../../../domain/actions/action.ts";
import type { Hvac } from "../../../domain/assets/hvac.ts";
import { heatingSpans } from "../../../domain/smart/hvac-smart-intervals.ts";
import { baseOf, type HvacBase, holdAt, restoring, shiftedSetpoint } from "../../../domain/smart/hvac-smart-policy.ts";
import { nextTimeOfDay, previousTimeOfDay } from "../../../domain/smart/smart-deadline.ts";
import type { HvacSmartRecord } from "../../../store/records.ts";
import type { PriceView } from "../smart-policy-service.ts";

/** A setpoint that differs by more than this from what was held was set by somebody else, °C. */
const SAME_WITHIN_C = 0.5;

export interface HvacSight extends PriceView {
  readonly hvac: Hvac;
  /** A command is on its way: what the unit shows may be older than it. */
  readonly isBusy: boolean;
  /** The unit took what was sent last; before that it may still show what was sent before. */
  readonly isSettled: boolean;
}

/** Returns the record as it is now; the same object if nothing changed. */
export function nextHvacRecord(record: HvacSmartRecord, sight: HvacSight): HvacSmartRecord {
  if (record.policy.isEnabled) return withBase(withDay(record, sight), sight);
  if (!record.owesRestore) return record;
  const seen = withBase(record, sight);
  // Somebody has set the unit since: there is nothing to put back any more.
  return seen.sentSetpoints.length === 0 ? { ...seen, owesRestore: false, base: null } : seen;
}

function withDay(record: HvacSmartRecord, { nowMs, zone, isStale, prices }: HvacSight): HvacSmartRecord {
  const isNewDay = record.dayEndMs === null || nowMs >= record.dayEndMs;
  if (!isNewDay && !isStale) return record;
  const dayEndMs = nextTimeOfDay(nowMs, "24:00", zone);
  const dayStartMs = previousTimeOfDay(dayEndMs, "24:00", zone);
  const spans = heatingSpans({ fromMs: dayStartMs, toMs: dayEndMs }, prices(dayStartMs, dayEndMs));
  const isSame = dayEndMs === record.dayEndMs && JSON.stringify(spans) === JSON.stringify(record.spans);
  return isSame ? record : { ...record, dayEndMs, spans };
}

/**
 * What the user wants is what the unit showed when the policy was switched on, and since then whatever somebody set at
 * the unit itself: a setpoint that is neither held by the policy nor the base is the new base.
 */
function withBase(record: HvacSmartRecord, { hvac, isBusy, isSettled }: HvacSight): HvacSmartRecord {
  const shown = baseOf(hvac);
  if (shown === null || !hvac.isReachable || isBusy) return record;
  const { base, sentSetpoints } = record;
  if (base === null) return { ...record, base: shown };
  const ours = sentSetpoints.slice(0, isSettled ? 1 : 2);
  const { holdType, heatSetpoint } = base;
  const known = [heatSetpoint, ...ours];
  if (!known.some((setpoint) => isSameSetpoint(shown.heatSetpoint, setpoint))) {
    return { ...record, base: { ...shown, holdType }, sentSetpoints: [] };
  }
  const isSame = shown.mode === base.mode && !isOtherCooling(shown, base, known, hvac);
  return isSame ? record : { ...record, base: { ...shown, holdType, heatSetpoint } };
}

/** True if somebody set the temperature above which the unit cools: it belongs to none of these heat setpoints. */
function isOtherCooling(shown: HvacBase, base: HvacBase, heatSetpoints: readonly number[], hvac: Hvac): boolean {
  const { coolSetpoint } = shown;
  if (coolSetpoint === null) return false;
  const holds = heatSetpoints.map((heatSetpoint) => holdAt(base, heatSetpoint, hvac.capabilities));
  const known = [base, ...holds].flatMap((each) => ("coolSetpoint" in each ? (each.coolSetpoint ?? []) : []));
  return !known.some((setpoint) => isSameSetpoint(coolSetpoint, setpoint));
}

function isSameSetpoint(a: number, b: number): boolean {
  return Math.abs(a - b) <= SAME_WITHIN_C;
}

/** Returns the hold that the policy requires of the unit at an instant; `null` if it requires none. */
export function holdOf(record: HvacSmartRecord, hvac: Hvac, nowMs: number): HvacTarget | null {
  const { base, policy, spans, owesRestore } = record;
  if (base === null) return null;
  // A unit that was switched off, or cools, is left alone.
  if (baseOf(hvac) === null) return null;
  if (!policy.isEnabled) return owesRestore ? restoring(base, hvac.capabilities) : null;
  const span = spans.find(({ fromMs, toMs }) => fromMs <= nowMs && nowMs < toMs);
  const shift = span?.shift ?? 0;
  // So is one that was never moved and need not be.
  if (shift === 0 && record.sentSetpoints.length === 0) return null;
  return holdAt(base, setpointIn(base, shift, hvac), hvac.capabilities);
}

/** The heat setpoint of a part of the day, °C. */
export function setpointIn(base: HvacBase, shift: number, { capabilities }: Hvac): number {
  return shiftedSetpoint(base, shift, capabilities.heatSetpointRange);
}
