import type { ControlPoint } from "../../points/points.ts";
import { instant } from "../fields.ts";
import type { Action, FailureType } from "./action.ts";

/** What can happen to an action (rule I3.1). */
export type ActionEvent =
  /** A reading taken after the command shows the desired setting. */
  | { readonly type: "shown" }
  /** The target showed the desired setting before any command was sent. */
  | { readonly type: "already-so" }
  /** The time in which the action may run is over; `wasSent` is true if a command went to the device. */
  | { readonly type: "timed-out"; readonly wasSent: boolean; readonly detail: string }
  /** A newer action was created for the target. */
  | { readonly type: "superseded" }
  /** The target took the setting, and somebody else changed these points before the whole setting was shown. */
  | { readonly type: "taken-over"; readonly points: readonly ControlPoint[]; readonly detail: string }
  /** The client that asked for the action cancelled it. */
  | { readonly type: "cancel-requested" }
  /** The target's device was removed. */
  | { readonly type: "target-deleted" };

/** Returns true if the action has not ended. */
export function isPending(action: Action): boolean {
  return action.state === "PENDING";
}

/** Returns the action after an event, or the same object if it had already ended. `nowMs` is wall-clock time. */
export function nextAction(action: Action, event: ActionEvent, nowMs: number): Action {
  if (!isPending(action)) return action;
  switch (event.type) {
    case "shown":
      return ended(action, "CONFIRMED", null, nowMs);
    case "already-so":
      return ended(action, "CANCELLED", reason("UNNECESSARY", "The device was already in the desired state."), nowMs);
    case "timed-out":
      return event.wasSent
        ? ended(action, "FAILED", reason("NO_RESPONSE", event.detail), nowMs)
        : ended(action, "CANCELLED", reason("FAILED_PRECONDITION", event.detail), nowMs);
    case "superseded":
      return ended(action, "CANCELLED", reason("CONFLICT", "A newer action was created for the device."), nowMs);
    case "taken-over":
      return ended(action, "CANCELLED", reason("CONFLICT", event.detail), nowMs);
    case "cancel-requested":
      return ended(
        action,
        "CANCELLED",
        reason("REQUESTED_CANCELLATION", "The action was cancelled on request."),
        nowMs,
      );
    case "target-deleted":
      return ended(action, "CANCELLED", reason("NOT_FOUND", "The device was removed."), nowMs);
    default:
      return event satisfies never;
  }
}

function reason(type: FailureType, detail: string): NonNullable<Action["failureReason"]> {
  return { type, detail };
}

function ended(
  action: Action,
  state: Exclude<Action["state"], "PENDING">,
  failureReason: Action["failureReason"],
  nowMs: number,
): Action {
  // A wall clock that stepped back does not make an action end before it began.
  const at = instant(Math.max(nowMs, Date.parse(action.createdAt)));
  return { ...action, state, failureReason, updatedAt: at, completedAt: at };
}
