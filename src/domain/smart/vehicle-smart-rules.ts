/** Decides the next step of a vehicle's smart charging (rule S2.4). */
import type {
  EndedState,
  ExecutingState,
  FailureCondition,
  RestState,
  VehicleSmartState,
} from "./vehicle-smart-charging.ts";
import { isEnded, isExecuting, isPausing, type VehicleSmartEvent } from "./vehicle-smart-state.ts";

/** After this many failed stops the plan fails and the vehicle goes on charging. */
const MAX_STOP_ATTEMPTS = 5;
/** After this many stops, a vehicle that starts again by itself is no longer stopped. */
const MAX_STOPS = 3;

/** The progress of the command that the state requires. */
export type CommandProgress = "none" | "pending" | "done" | "failed";

/** Everything that the next step of a plan depends on. `null`: not known now. */
export interface PlanFacts {
  readonly isCapable: boolean;
  readonly isPluggedIn: boolean | null;
  readonly isCharging: boolean | null;
  /** Charging, or about to. */
  readonly isUnderWay: boolean | null;
  readonly isFull: boolean | null;
  /** The state of charge is below the limit up to which the vehicle charges at any price. */
  readonly isBelowMinimum: boolean;
  readonly isOverridden: boolean;
  readonly command: CommandProgress;
  /** A stop command of the plan is pending. */
  readonly isStopPending: boolean;
  readonly isStartKnown: boolean;
  readonly isStartDue: boolean;
  /** A failed command may be sent again now. */
  readonly isRetryDue: boolean;
  /** Failures of the command since the state began. */
  readonly attempts: number;
  /** How often the vehicle was stopped. */
  readonly stops: number;
  readonly wasStopped: boolean;
  readonly isDeadlineOver: boolean;
  /** The deadline is so long past that the start is not tried any more. */
  readonly isStartAbandoned: boolean;
}

/** An event, and the reason if the plan failed. */
export interface PlanStep {
  readonly event: VehicleSmartEvent;
  readonly failure: FailureCondition | null;
}

/** Returns the next step of a plan; `null` while there is nothing to do. */
export function nextPlanStep(state: ExecutingState, facts: PlanFacts): PlanStep | null {
  if (!facts.isCapable) return ended("PLAN:ENDED:FAILED", "UNKNOWN");
  if (facts.isPluggedIn === false) return ended("PLAN:ENDED:UNPLUGGED");
  if (facts.isFull === true) return ended("PLAN:ENDED:FINISHED");
  if (facts.isOverridden) return state === "PLAN:EXECUTING:OVERRIDDEN" ? null : step({ type: "overridden" });
  if (isPausing(state) && facts.isBelowMinimum) return step({ type: "start-due" });
  switch (state) {
    case "PLAN:EXECUTING:STOPPING":
      return whileStopping(facts);
    case "PLAN:EXECUTING:STOP_FAILED":
      return afterStopFailed(facts);
    case "PLAN:EXECUTING:STOPPED":
    case "PLAN:EXECUTING:STOPPED:AWAITING_PRICES":
      return whilePaused(state, facts);
    case "PLAN:EXECUTING:STARTING":
      return whileStarting(facts);
    case "PLAN:EXECUTING:START_FAILED":
      return afterStartFailed(facts);
    case "PLAN:EXECUTING:STARTED":
      return facts.isUnderWay === false ? step({ type: "interrupted" }) : null;
    case "PLAN:EXECUTING:CHARGE_INTERRUPTED":
      return afterInterruption(facts);
    case "PLAN:EXECUTING:OVERRIDDEN":
      return afterOverride(facts);
    default:
      return state satisfies never;
  }
}

function whileStopping(facts: PlanFacts): PlanStep | null {
  if (facts.isUnderWay === false || facts.command === "done") return stopShown(facts);
  if (facts.isStartDue) return neverStopped(facts);
  return facts.command === "failed" ? step({ type: "stop-failed" }) : null;
}

function afterStopFailed(facts: PlanFacts): PlanStep | null {
  if (facts.isUnderWay === false) return stopShown(facts);
  if (facts.isStartDue) return neverStopped(facts);
  if (facts.attempts >= MAX_STOP_ATTEMPTS) return ended("PLAN:ENDED:FAILED", "STOP_FAILED");
  return facts.isRetryDue ? step({ type: "stop-due" }) : null;
}

function stopShown({ isStartKnown }: PlanFacts): PlanStep {
  return step({ type: "stop-shown", isStartKnown });
}

/** Ends the pause. A plan that never stopped the vehicle has failed; otherwise charging is started. */
function neverStopped({ wasStopped }: PlanFacts): PlanStep {
  return wasStopped ? step({ type: "start-due" }) : ended("PLAN:ENDED:FAILED", "STOP_FAILED");
}

function whilePaused(state: ExecutingState, facts: PlanFacts): PlanStep | null {
  if (facts.isStartDue) return step({ type: "start-due" });
  if (facts.isCharging === true) {
    return facts.stops >= MAX_STOPS ? ended("PLAN:ENDED:FAILED", "STOP_FAILED") : step({ type: "stop-due" });
  }
  const isShownKnown = state === "PLAN:EXECUTING:STOPPED";
  const { isStartKnown } = facts;
  return isShownKnown === isStartKnown ? null : step({ type: "replanned", isStartKnown });
}

function whileStarting(facts: PlanFacts): PlanStep | null {
  if (facts.command === "done") return step({ type: "start-shown" });
  // A pending stop may still take effect.
  if (facts.isCharging === true && facts.command !== "pending" && !facts.isStopPending) {
    return step({ type: "start-shown" });
  }
  return facts.command === "failed" ? step({ type: "start-failed" }) : null;
}

function afterStartFailed(facts: PlanFacts): PlanStep | null {
  if (facts.isCharging === true) return step({ type: "start-shown" });
  if (facts.isStartAbandoned) return ended("PLAN:ENDED:FAILED", "START_FAILED");
  return facts.isRetryDue ? step({ type: "start-due" }) : null;
}

/** Waits whether charging resumes after somebody or something else stopped it; the plan does not start it again. */
function afterInterruption(facts: PlanFacts): PlanStep | null {
  if (facts.isCharging === true) return step({ type: "start-shown" });
  return facts.isDeadlineOver ? ended("PLAN:ENDED:FAILED", "CHARGE_INTERRUPTED") : null;
}

function afterOverride(facts: PlanFacts): PlanStep | null {
  // Wait for the next reading.
  if (facts.isUnderWay === null) return null;
  const shouldPause = !facts.isStartDue && !facts.isBelowMinimum;
  return step({
    type: "override-ended",
    shouldPause,
    isCharging: facts.isUnderWay,
    isStartKnown: facts.isStartKnown,
  });
}

/** Everything that the state without a plan depends on. `null`: not known now. */
export interface RestFacts {
  readonly isEnabled: boolean;
  readonly isCapable: boolean;
  readonly atLocation: boolean;
  /** Some prices at the location are known. */
  readonly hasPrices: boolean;
  readonly isFull: boolean | null;
  readonly isPluggedIn: boolean | null;
}

/**
 * Returns the event that leads to the state without a plan; `null` if the state does not change. The state of an ended
 * plan stays until the conditions change.
 */
export function nextRest(state: VehicleSmartState, facts: RestFacts): VehicleSmartEvent | null {
  if (isExecuting(state)) return null;
  if (isEnded(state) && !isOutdated(state, facts)) return null;
  const as = restOf(state, facts);
  return as === state ? null : { type: "rested", as };
}

function restOf(
  state: VehicleSmartState,
  { isEnabled, isCapable, atLocation, hasPrices, isFull }: RestFacts,
): RestState {
  if (!isEnabled) return "DISABLED";
  if (!isCapable || (atLocation && !hasPrices)) return "UNKNOWN";
  if (isFull === true) return "FULLY_CHARGED";
  // If it is not known now whether the vehicle is full, the last known state stays.
  return isFull === null && state === "FULLY_CHARGED" ? state : "CONSIDERING";
}

function isOutdated(state: EndedState, { isEnabled, isFull, isPluggedIn }: RestFacts): boolean {
  switch (state) {
    case "PLAN:ENDED:DEADLINE_CHANGED":
      return true;
    case "PLAN:ENDED:UNPLUGGED":
      return isPluggedIn === true || !isEnabled;
    case "PLAN:ENDED:FINISHED":
      return isFull === false || isPluggedIn === false || !isEnabled;
    case "PLAN:ENDED:FAILED":
      return isPluggedIn === false || !isEnabled;
    case "PLAN:ENDED:DISABLED":
      return isPluggedIn === false;
    default:
      return state satisfies never;
  }
}

function step(event: VehicleSmartEvent): PlanStep {
  return { event, failure: null };
}

function ended(as: EndedState, failure: FailureCondition | null = null): PlanStep {
  return { event: { type: "ended", as }, failure };
}
