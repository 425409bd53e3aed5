import type { Action, ActionOrigin, ActionWish } from "../domain/action.ts";
import type { ActionTiming } from "../domain/action-timing.ts";
import { controlsFor, type WishControl, wishOf } from "../domain/action-wish.ts";
import type { KnownDevice } from "../domain/asset-seed.ts";

/** A pending action on its way to the device. */
export interface Drive {
  readonly action: Action;
  readonly wish: ActionWish;
  readonly origin: ActionOrigin;
  /** Written in this order. */
  readonly controls: readonly WishControl[];
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

/** What is known of an action when its driving begins. */
export interface DriveStart {
  readonly action: Action;
  readonly origin: ActionOrigin;
  readonly device: Pick<KnownDevice, "controls">;
  readonly timing: ActionTiming;
  readonly wasSent: boolean;
}

export function newDrive({ action, origin, device, timing, wasSent }: DriveStart, nowMs: number): Drive {
  const wish = wishOf(action);
  return {
    action,
    wish,
    origin,
    controls: controlsFor(wish, device),
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
