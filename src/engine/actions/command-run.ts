import type { Action, ActionOrigin, DesiredSetting } from "../../domain/actions/action.ts";
import type { ActionEvent } from "../../domain/actions/action-machine.ts";
import type { ActionTiming } from "../../domain/actions/action-timing.ts";
import { type ControlValue, controlsFor, isSameControlValue, settingOf } from "../../domain/actions/desired-setting.ts";
import { TAKEN_OVER_AFTER_READINGS } from "../../domain/actions/lease.ts";
import type { KnownDevice } from "../../domain/assets/asset-seed.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import { MINUTE_MS } from "../../domain/duration.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";

/** A device may drop what it took by itself, once; when it happens again somebody is at work. */
const YIELDS_AFTER = 2;

/** A pending action on its way to the device. */
export interface CommandRun {
  readonly action: Action;
  readonly setting: DesiredSetting;
  readonly origin: ActionOrigin;
  /** Written in this order. */
  readonly controls: readonly ControlValue[];
  readonly timing: ActionTiming;
  /** Monotonic ms; only readings that began later count. */
  readonly startedAtMs: number;
  /** True once the device may know of the command: it was tried, or will have been by the time of a crash. */
  mayBeSent: boolean;
  /** True once the device took, or refused, the command. */
  wasDelivered: boolean;
  /** True when the device took the whole of the last try: a part of it may show what the rest does not hold. */
  wasTaken: boolean;
  /** Monotonic ms at which the last try ended; null before the first of this run. */
  triedAtMs: number | null;
  /** Monotonic ms of the next try. */
  sendAtMs: number;
  /** Why the command is not done yet, in words; null when nothing is known. */
  obstacle: string | null;
  /** What became of each control that the device took: readings in a row that show another value, and how often so. */
  readonly taken: Map<ControlPoint, { differing: number; undone: number }>;
  /** The action ends; nothing more is sent for it. */
  isEnding: boolean;
}

/** An action whose command begins to run. */
export interface CommandStart {
  readonly action: Action;
  readonly origin: ActionOrigin;
  readonly device: Pick<KnownDevice, "controls">;
  readonly timing: ActionTiming;
  readonly wasSent: boolean;
}

export function newCommandRun({ action, origin, device, timing, wasSent }: CommandStart, nowMs: number): CommandRun {
  const setting = settingOf(action);
  return {
    action,
    setting,
    origin,
    controls: controlsFor(setting, device),
    timing,
    startedAtMs: nowMs,
    mayBeSent: wasSent,
    wasDelivered: wasSent,
    wasTaken: false,
    triedAtMs: wasSent ? nowMs : null,
    sendAtMs: nowMs,
    obstacle: null,
    taken: new Map(),
    isEnding: false,
  };
}

/** Takes note of what a reading after the command shows of one of its controls. */
export function noteReading({ taken }: CommandRun, { point, value }: ControlValue, reading: PointValue | null): void {
  const before = taken.get(point);
  if (reading === null) return;
  if (isSameControlValue(reading, value)) {
    taken.set(point, { differing: 0, undone: before?.undone ?? 0 });
  } else if (before !== undefined) {
    before.differing += 1;
    if (before.differing === TAKEN_OVER_AFTER_READINGS) before.undone += 1;
  }
}

/** The points that somebody else sets otherwise. */
export function undonePoints({ taken }: CommandRun): readonly ControlPoint[] {
  return [...taken].filter(([, { undone }]) => undone >= YIELDS_AFTER).map(([point]) => point);
}

/** How an action ends that somebody else undoes: sending on would be a fight. */
export function takenOver(run: CommandRun, values: Readonly<PointValues>): ActionEvent {
  const points = undonePoints(run);
  const what = run.controls
    .filter(({ point }) => points.includes(point))
    .map(({ point, value }) => `${point} from ${value} to ${values[point]}`);
  const detail = `Another controller, or a person at the device, changed ${what.join(", ")} each time that it was set.`;
  return { type: "taken-over", points, detail };
}

/** Why the action ended without being followed, for the person who reads it. */
export function timeoutDetail(run: CommandRun): string {
  if (!run.wasDelivered) return run.obstacle ?? "The device was not reachable.";
  const minutes = run.timing.windowMs / MINUTE_MS;
  const detail = `The device did not show the requested state within ${minutes} minutes.`;
  return run.obstacle === null ? detail : `${detail} ${run.obstacle}`;
}

/** Returns true if the control reads otherwise although its evidence fits. */
export function isContradicted({ point, value, evidence }: ControlValue, values: Readonly<PointValues>): boolean {
  const reading = values[point] ?? null;
  return evidence !== point && reading !== null && !isSameControlValue(reading, value);
}

/** Returns the setting as the energy manager lets the device have it; `regulated` returns the value that it wants. */
export function withNarrowed(
  setting: DesiredSetting,
  regulated: (point: ControlPoint) => PointValue | null,
): DesiredSetting {
  if (!("maxCurrent" in setting)) return setting;
  const value = regulated(`${setting.targetType}.maxCurrent`);
  return typeof value === "number" ? { ...setting, maxCurrent: Math.min(setting.maxCurrent, value) } : setting;
}

/** Ends an action that is not carried on with, because it may have ended already. */
export const LOST_SIGHT: ActionEvent = {
  type: "timed-out",
  wasSent: true,
  detail: "The gateway's disk was damaged: whether the command had ended is not known, and it is not sent again.",
};
