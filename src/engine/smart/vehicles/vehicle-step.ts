/** One step of a vehicle's smart charging: what changes, given what is known now. No I/O. */

import type { ActionOrigin } from "../../../domain/actions/action.ts";
import type { Vehicle } from "../../../domain/assets/vehicle.ts";
import { HOUR_MS, MINUTE_MS } from "../../../domain/duration.ts";
import { patch } from "../../../domain/patch.ts";
import { isUnderWay } from "../../../domain/smart/smart-override.ts";
import type { EndedState, FailureCondition } from "../../../domain/smart/vehicle-smart-charging.ts";
import { confirmed, type ExecutedPlan, endedPlan, makePlan } from "../../../domain/smart/vehicle-smart-plan.ts";
import { nextPlanStep, nextRest, type PlanFacts } from "../../../domain/smart/vehicle-smart-rules.ts";
import {
  isExecuting,
  isPausing,
  nextVehicleSmartState,
  type VehicleSmartEvent,
} from "../../../domain/smart/vehicle-smart-state.ts";
import type { VehicleSmartRecord } from "../../../store/records.ts";
import { isSmartCapable } from "./activation.ts";
import { considerationOf, expectedKw, isBelowMinimum, locationOf, neededMs } from "./vehicle-outlook.ts";

/** A shorter charge than this is not worth a plan, ms. */
const LEAST_CHARGE_MS = 10 * MINUTE_MS;
/** Starting is tried for this long after the deadline, ms. */
const GIVE_UP_AFTER_MS = 2 * HOUR_MS;

/** A vehicle's smart charging as it is kept. */
export interface Kept {
  readonly record: VehicleSmartRecord;
  /** The plan that is executed or has just ended; null before the first. */
  readonly plan: ExecutedPlan | null;
}

/** What is known of the vehicle now, beside what it shows. */
export interface Sight {
  readonly vehicle: Vehicle;
  readonly nowMs: number;
  /** False: instants mean nothing yet, and nothing is begun because of them. */
  readonly isClockTrusted: boolean;
  /** The clock could not be trusted for so long that a paused vehicle is better let charge. */
  readonly isClockHopeless: boolean;
  readonly isOverridden: boolean;
  /** The gateway has just started: its stop let the vehicle charge, so that charging is not the decision of a user. */
  readonly isFreshRun: boolean;
  /** The location that the plan was made for was deleted. */
  readonly isLocationGone: boolean;
  /** Whose command the gateway holds the vehicle stopped by; null when it does not. */
  readonly stoppedBy: ActionOrigin | null;
  readonly hasPrices: boolean;
  readonly stopCommand: Pick<PlanFacts, "command"> & { readonly isPending: boolean };
  readonly startCommand: Pick<PlanFacts, "command">;
  readonly isRetryDue: boolean;
  readonly attempts: number;
}

/** Returns the next change; the same object if nothing changes. */
export function nextKept(kept: Kept, sight: Sight): Kept {
  const seen = observed(kept, sight);
  const { state } = seen.record;
  const next = isExecuting(state) ? executed(seen, sight) : rested(seen, sight);
  return withConsideration(next, sight);
}

/** First times of stopping and starting; a start that was owed and has come. */
function observed(kept: Kept, { vehicle, nowMs, stoppedBy }: Sight): Kept {
  const { record, plan } = kept;
  if (isExecuting(record.state)) {
    const seen = plan === null ? null : confirmed(plan, chargingSeen(vehicle), nowMs);
    return seen === plan ? kept : { record, plan: seen };
  }
  const { isCharging, isPluggedIn, isFullyCharged } = vehicle.chargeState;
  if (isPluggedIn === false) {
    // A stop was for the charge that is over; without a start the vehicle would stay stopped at the next plug-in.
    const isOwed = record.policy.isEnabled ? stoppedBy !== null : record.owesStart && stoppedBy === "smart-charging";
    return isOwed === record.owesStart ? kept : { record: { ...record, owesStart: isOwed }, plan };
  }
  const isSettled = isCharging === true || isFullyCharged === true;
  return record.owesStart && isSettled ? { record: { ...record, owesStart: false }, plan } : kept;
}

function chargingSeen({ chargeState }: Vehicle): boolean | null {
  if (chargeState.isCharging === true) return true;
  return underWay(chargeState.powerDeliveryState) === false ? false : null;
}

function underWay(state: Vehicle["chargeState"]["powerDeliveryState"]): boolean | null {
  return state === "UNKNOWN" ? null : isUnderWay(state);
}

function executed(kept: Kept, sight: Sight): Kept {
  const { record, plan } = kept;
  if (!isExecuting(record.state) || plan === null) return kept;
  if (sight.isLocationGone) return applied(kept, { type: "ended", as: "PLAN:ENDED:DISABLED" }, null, sight.nowMs);
  const step = nextPlanStep(record.state, planFacts(record, plan, sight));
  if (step === null) return kept;
  const next = applied(kept, step.event, step.failure, sight.nowMs);
  const isCounted = step.event.type !== "stop-due" || !sight.isFreshRun;
  return isCounted ? next : { ...next, record: { ...next.record, stops: record.stops } };
}

function planFacts(record: VehicleSmartRecord, executing: ExecutedPlan, sight: Sight): PlanFacts {
  const { vehicle, nowMs, isClockTrusted, isClockHopeless } = sight;
  const { isPluggedIn, isCharging, isFullyCharged, powerDeliveryState } = vehicle.chargeState;
  const { plan, latestStartMs, deadlineMs } = executing;
  const startMs = plan.startAt === null ? latestStartMs : Date.parse(plan.startAt);
  return {
    isCapable: isSmartCapable(vehicle),
    isPluggedIn,
    isCharging,
    isUnderWay: underWay(powerDeliveryState),
    isFull: isFullyCharged,
    isBelowMinimum: isBelowMinimum(vehicle, record.policy),
    isOverridden: sight.isOverridden,
    command: isPausing(record.state) ? sight.stopCommand.command : sight.startCommand.command,
    isStopPending: sight.stopCommand.isPending,
    isStartKnown: plan.startAt !== null,
    isStartDue: isClockHopeless || (isClockTrusted && nowMs >= startMs),
    isRetryDue: sight.isRetryDue,
    attempts: sight.attempts,
    stops: record.stops,
    wasStopped: plan.stopConfirmedAt !== null,
    isDeadlineOver: isClockTrusted && nowMs >= deadlineMs,
    isStartAbandoned: isClockTrusted && nowMs >= deadlineMs + GIVE_UP_AFTER_MS,
  };
}

/** The state after an event, with what goes with it. */
export function applied(
  { record, plan }: Kept,
  event: VehicleSmartEvent,
  failure: FailureCondition | null,
  nowMs: number,
): Kept {
  const state = nextVehicleSmartState(record.state, event);
  if (state === record.state) return { record, plan };
  const isStopping = state === "PLAN:EXECUTING:STOPPING";
  const next: VehicleSmartRecord = {
    ...record,
    state,
    stateChangedAtMs: nowMs,
    stops: record.stops + (isStopping ? 1 : 0),
  };
  if (event.type !== "ended" || plan === null) return { record: next, plan };
  return {
    record: { ...next, owesStart: owesStart(record, event.as) },
    plan: endedPlan(plan, event.as, failure, nowMs),
  };
}

/** A vehicle that a plan paused is let charge again when the plan is called off. */
function owesStart({ state }: VehicleSmartRecord, as: EndedState): boolean {
  const isCalledOff =
    as === "PLAN:ENDED:DISABLED" || as === "PLAN:ENDED:DEADLINE_CHANGED" || as === "PLAN:ENDED:FAILED";
  const isStarting = state === "PLAN:EXECUTING:STARTING" || state === "PLAN:EXECUTING:START_FAILED";
  return isCalledOff && (isPausing(state) || (isStarting && as !== "PLAN:ENDED:FAILED"));
}

function rested(kept: Kept, sight: Sight): Kept {
  const { record } = kept;
  const { vehicle, hasPrices, nowMs } = sight;
  const event = nextRest(record.state, {
    isEnabled: record.policy.isEnabled,
    isCapable: isSmartCapable(vehicle),
    atLocation: locationOf(vehicle) !== null,
    hasPrices,
    isFull: vehicle.chargeState.isFullyCharged,
    isPluggedIn: vehicle.chargeState.isPluggedIn,
  });
  return event === null ? kept : applied(kept, event, null, nowMs);
}

function withConsideration(kept: Kept, { vehicle }: Sight): Kept {
  const { record } = kept;
  const shown =
    record.state === "CONSIDERING"
      ? patch(record.consideration ?? considerationOf(vehicle, record.seenKw), considerationOf(vehicle, record.seenKw))
      : null;
  return shown === record.consideration ? kept : { ...kept, record: { ...record, consideration: shown } };
}

/** True when a plan may be thought of: all considerations hold, and nobody wants the vehicle to charge now. */
export function mayPlan({ record }: Kept, { vehicle, isClockTrusted, isOverridden }: Sight): boolean {
  if (record.state !== "CONSIDERING" || record.consideration === null || !isClockTrusted || isOverridden) return false;
  // What an unreachable vehicle shows may be over.
  if (vehicle.isReachable === false) return false;
  const { isPluggedIn, isCharging, atChargingLocation, hasTimeEstimate } = record.consideration;
  const mayBePaused = isCharging || record.owesStart;
  return isPluggedIn && mayBePaused && atChargingLocation && hasTimeEstimate && !isBelowMinimum(vehicle, record.policy);
}

export interface PlanningMeans {
  readonly id: string;
  readonly currency: string;
  readonly deadlineMs: number;
  readonly prices: Parameters<typeof makePlan>[0]["prices"];
}

/** With a plan, when one saves anything; the very same object when none does. */
export function planned(kept: Kept, { vehicle, nowMs }: Sight, means: PlanningMeans): Kept {
  const { record } = kept;
  const needed = neededMs(vehicle, record.seenKw);
  if (needed === null || needed < LEAST_CHARGE_MS) return kept;
  const isPaused = record.owesStart && vehicle.chargeState.isCharging === false;
  const plan = makePlan({
    ...means,
    vehicle,
    locationId: locationOf(vehicle),
    nowMs,
    neededMs: needed,
    expectedKw: expectedKw(record.seenKw),
    isPaused,
  });
  if ("kind" in plan) return kept;
  const event = { type: "planned", isCharging: !isPaused, isStartKnown: plan.plan.startAt !== null } as const;
  const fresh = { ...record, planId: plan.plan.id, owesStart: false, stops: 0, consideration: null };
  return applied({ record: fresh, plan }, event, null, nowMs);
}
