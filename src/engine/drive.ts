import type { Action, ActionWish } from "../domain/action.ts";
import type { ActionTiming } from "../domain/action-timing.ts";
import { controlFor, type WishControl, wishOf } from "../domain/action-wish.ts";

/** A pending action on its way to the device. */
export interface Drive {
  readonly action: Action;
  readonly wish: ActionWish;
  readonly control: WishControl;
  readonly timing: ActionTiming;
  /** Monotonic ms; only readings that began later count. */
  readonly startedAtMs: number;
  /** True once the device may know of the command: it was tried, or will have been by the time of a crash. */
  mayBeSent: boolean;
  /** True once the device took, or refused, the command. */
  wasDelivered: boolean;
  /** Monotonic ms at which the last try ended; null before the first of this run. */
  triedAtMs: number | null;
  /** Monotonic ms of the next try. */
  sendAtMs: number;
  /** Why the command is not done yet, in words; null when nothing is known. */
  obstacle: string | null;
  /** The action ends; nothing more is sent for it. */
  isEnding: boolean;
}

export function newDrive(action: Action, timing: ActionTiming, wasSent: boolean, nowMs: number): Drive {
  const wish = wishOf(action);
  return {
    action,
    wish,
    control: controlFor(wish),
    timing,
    startedAtMs: nowMs,
    mayBeSent: wasSent,
    wasDelivered: wasSent,
    triedAtMs: wasSent ? nowMs : null,
    sendAtMs: nowMs,
    obstacle: null,
    isEnding: false,
  };
}

/** Why the action ended without being followed, for the person who reads it. */
export function timeoutDetail(drive: Drive): string {
  if (!drive.wasDelivered) return drive.obstacle ?? "The device was not reachable.";
  const minutes = drive.timing.windowMs / 60_000;
  const told = `The device did not show the requested state within ${minutes} minutes.`;
  return drive.obstacle === null ? told : `${told} ${drive.obstacle}`;
}
