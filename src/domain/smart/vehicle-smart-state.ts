import type { EndedState, ExecutingState, RestState, VehicleSmartState } from "./vehicle-smart-charging.ts";

/** What can happen to a vehicle's smart charging (rule S2.4). */
export type VehicleSmartEvent =
  /** There is no plan; `as` is the state instead. */
  | { readonly type: "rested"; readonly as: RestState }
  /** A plan was created for a vehicle that charges or is already paused. */
  | { readonly type: "planned"; readonly isCharging: boolean; readonly isStartKnown: boolean }
  | { readonly type: "stop-shown"; readonly isStartKnown: boolean }
  | { readonly type: "stop-failed" }
  /** The stop has to be sent again: it failed, or the vehicle charges again by itself. */
  | { readonly type: "stop-due" }
  /** The start of the plan became known or unknown. */
  | { readonly type: "replanned"; readonly isStartKnown: boolean }
  | { readonly type: "start-due" }
  | { readonly type: "start-shown" }
  | { readonly type: "start-failed" }
  /** Charging stopped after the plan had started it, and not by the plan. */
  | { readonly type: "interrupted" }
  | { readonly type: "overridden" }
  /** The override is over; `shouldPause` is true if the plan has to pause the vehicle again. */
  | {
      readonly type: "override-ended";
      readonly shouldPause: boolean;
      readonly isCharging: boolean;
      readonly isStartKnown: boolean;
    }
  | { readonly type: "ended"; readonly as: EndedState };

/** Returns true while a plan is carried out. */
export function isExecuting(state: VehicleSmartState): state is ExecutingState {
  return state.startsWith("PLAN:EXECUTING:");
}

/** Returns true if the last plan has ended and no other state has begun. */
export function isEnded(state: VehicleSmartState): state is EndedState {
  return state.startsWith("PLAN:ENDED:");
}

/** Returns true from the creation of a plan until it starts charging: the vehicle is paused or being stopped. */
export function isPausing(state: VehicleSmartState): boolean {
  return BEFORE_START.has(state);
}

const PAUSED: ReadonlySet<VehicleSmartState> = new Set([
  "PLAN:EXECUTING:STOPPED",
  "PLAN:EXECUTING:STOPPED:AWAITING_PRICES",
]);
const BEFORE_START: ReadonlySet<VehicleSmartState> = new Set([
  ...PAUSED,
  "PLAN:EXECUTING:STOPPING",
  "PLAN:EXECUTING:STOP_FAILED",
]);

/** Returns the state after an event; the same state if the event has no effect in it. */
export function nextVehicleSmartState(state: VehicleSmartState, event: VehicleSmartEvent): VehicleSmartState {
  switch (event.type) {
    case "rested":
      return isExecuting(state) ? state : event.as;
    case "planned":
      if (isExecuting(state)) return state;
      return event.isCharging ? "PLAN:EXECUTING:STOPPING" : paused(event);
    case "stop-shown":
      return state === "PLAN:EXECUTING:STOPPING" || state === "PLAN:EXECUTING:STOP_FAILED" ? paused(event) : state;
    case "stop-failed":
      return state === "PLAN:EXECUTING:STOPPING" ? "PLAN:EXECUTING:STOP_FAILED" : state;
    case "stop-due":
      return PAUSED.has(state) || state === "PLAN:EXECUTING:STOP_FAILED" ? "PLAN:EXECUTING:STOPPING" : state;
    case "replanned":
      return PAUSED.has(state) ? paused(event) : state;
    case "start-due":
      return BEFORE_START.has(state) || state === "PLAN:EXECUTING:START_FAILED" ? "PLAN:EXECUTING:STARTING" : state;
    case "start-shown":
      return isStartPhase(state) ? "PLAN:EXECUTING:STARTED" : state;
    case "start-failed":
      return state === "PLAN:EXECUTING:STARTING" ? "PLAN:EXECUTING:START_FAILED" : state;
    case "interrupted":
      return state === "PLAN:EXECUTING:STARTED" ? "PLAN:EXECUTING:CHARGE_INTERRUPTED" : state;
    case "overridden":
      return isExecuting(state) ? "PLAN:EXECUTING:OVERRIDDEN" : state;
    case "override-ended":
      return state === "PLAN:EXECUTING:OVERRIDDEN" ? afterOverride(event) : state;
    case "ended":
      return isExecuting(state) ? event.as : state;
    default:
      return event satisfies never;
  }
}

function paused({ isStartKnown }: { readonly isStartKnown: boolean }): ExecutingState {
  return isStartKnown ? "PLAN:EXECUTING:STOPPED" : "PLAN:EXECUTING:STOPPED:AWAITING_PRICES";
}

function isStartPhase(state: VehicleSmartState): boolean {
  return (
    state === "PLAN:EXECUTING:STARTING" ||
    state === "PLAN:EXECUTING:START_FAILED" ||
    state === "PLAN:EXECUTING:CHARGE_INTERRUPTED"
  );
}

function afterOverride(event: VehicleSmartEvent & { readonly type: "override-ended" }): ExecutingState {
  if (event.shouldPause) return event.isCharging ? "PLAN:EXECUTING:STOPPING" : paused(event);
  return event.isCharging ? "PLAN:EXECUTING:STARTED" : "PLAN:EXECUTING:STARTING";
}
