import type { PointValue } from "../../points/points.ts";
import type { ActionOrigin } from "./action.ts";
import { isSameControlValue } from "./desired-setting.ts";

/**
 * The state of a value that was written to a device.
 * - `held`: the value should stay; it is renewed if the device has a reversion timer.
 * - `released`: the value is no longer renewed; an orderly stop still has to write the safe value.
 * - `reverted`: an orderly stop wrote the safe value; the next start writes the value again.
 */
export type LeaseState = "held" | "released" | "reverted";

/** What is known of a lease when a reading of its point arrives. */
export interface LeaseView {
  readonly state: LeaseState;
  readonly value: PointValue;
  /** The safe value; `null` if there is none. */
  readonly revertTo: PointValue | null;
  /** True if the owner of the lease will ask for its value again, so that a restart does not have to restore it. */
  readonly isReasserted: boolean;
  /** True until the first reading after a start or a new connection. */
  readonly isResuming: boolean;
  /** True if a reading showed the value. */
  readonly hasMatched: boolean;
  /** Consecutive readings that differed, before this one. */
  readonly mismatches: number;
  /** True if the device has a reversion timer that ends the value when nobody renews it. */
  readonly hasTimer: boolean;
  /** What the device shows after its timer ran out, if that is not the safe value; `null` if that is not known. */
  readonly fallback: PointValue | null;
  /** True if that timer must have run out since the last write. */
  readonly isTimerOver: boolean;
}

/**
 * The result of comparing a reading with a lease.
 * - `holds`: the device has the value.
 * - `differs`: the device has another value; it is too early to decide why.
 * - `lapsed`: the device fell back by itself or by our own stop; write the value again.
 * - `taken-over`: somebody else changed the value; their value stays.
 * - `settled`: the device is back at the safe value and the lease ends: it was released, or its owner decides again.
 */
export type LeaseVerdict = "holds" | "differs" | "lapsed" | "taken-over" | "settled";

/** Consecutive readings that differ before somebody else is taken to have changed the value. One may just be late. */
export const TAKEN_OVER_AFTER_READINGS = 3;

/** Compares a reading of the leased point with the lease. */
export function judgeLease(lease: LeaseView, reading: PointValue): LeaseVerdict {
  const isSafe = lease.revertTo !== null && isSameControlValue(reading, lease.revertTo);
  if (lease.state === "released") return isSafe ? "settled" : "differs";
  if (isSameControlValue(reading, lease.value)) return "holds";
  if (lease.isResuming) {
    // Without a timer and without our stop, only a person or a device that lost its memory changes the value.
    const isFallback = lease.hasTimer && lease.fallback !== null && isSameControlValue(reading, lease.fallback);
    const hasFallenBack = isFallback || (isSafe && (lease.hasTimer || lease.state === "reverted"));
    if (hasFallenBack) return lease.isReasserted ? "settled" : "lapsed";
    return "taken-over";
  }
  if (lease.isTimerOver) return "lapsed";
  const isTakenOver = lease.hasMatched && lease.mismatches + 1 >= TAKEN_OVER_AFTER_READINGS;
  return isTakenOver ? "taken-over" : "differs";
}

/**
 * Returns true if the origin decides again at every start which value it needs. Schedules and smart charging depend on the
 * time, so their value from before the stop may be obsolete.
 */
export function isReasserted(origin: ActionOrigin): boolean {
  return origin === "schedule" || origin === "smart-charging" || origin === "smart-policy" || origin === "energy";
}

/** Returns true if a value needs no lease: it is the safe value, or it returns control to the device. */
export function isAtRest(value: PointValue, revertTo: PointValue | null): boolean {
  return value === "SELF_RELIANCE" || (revertTo !== null && isSameControlValue(value, revertTo));
}
