import type { ControlPoint } from "../../points/points.ts";
import { instant } from "../fields.ts";
import type { Action, FailureType } from "./action.ts";

/** What can happen to an action (rule I3.1). */
export type ActionEvent =
  /** A reading taken after the command shows the wish. */
  | { readonly type: "shown" }
  /** The target showed the wish before any command was sent. */
  | { readonly type: "already-so" }
  /** The window is over. */
  | { readonly type: "timed-out"; readonly wasSent: boolean; readonly detail: string }
  /** A newer action was created for the target. */
  | { readonly type: "superseded" }
  /** The target took the wish, and somebody else changed it before all of the wish was shown. */
  | { readonly type: "taken-over"; readonly points: readonly ControlPoint[]; readonly detail: string }
  /** The owner took it back. */
  | { readonly type: "cancel-requested" }
  | { readonly type: "target-deleted" };

export function isPending(action: Action): boolean {
  return action.state === "PENDING";
}

/** The action after an event; the same object when it had already ended. */
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
