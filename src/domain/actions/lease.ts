import type { PointValue } from "../../points/points.ts";
import type { ActionOrigin } from "./action.ts";
import { isSameSetting } from "./action-wish.ts";

/**
 * Where a value that was written to a device stands.
 * - `held`: we wish it to stay and renew it where the device has a timer.
 * - `released`: no longer renewed; an orderly stop still owes the device its safe value.
 * - `reverted`: an orderly stop wrote the safe value; the next start takes the wish up again.
 */
export type LeaseState = "held" | "released" | "reverted";

/** A lease as it is known when a reading of its point arrives. */
export interface LeaseView {
  readonly state: LeaseState;
  readonly value: PointValue;
  /** The safe value; null when there is none. */
  readonly revertTo: PointValue | null;
  /** True when its owner will say again what it wants, so that nothing is taken up in its place. */
  readonly isReasserted: boolean;
  /** True until the first reading after a start or a new connection. */
  readonly isResuming: boolean;
  /** True once a reading showed the value. */
  readonly hasMatched: boolean;
  /** Readings in a row that differed, before this one. */
  readonly mismatches: number;
  /** True when the device drops the value by itself if nobody renews it. */
  readonly hasTimer: boolean;
  /** What the device shows when its timer ran out, where that is not the safe value; null when that is not known. */
  readonly fallback: PointValue | null;
  /** True when that timer must have run out since the last write. */
  readonly isTimerOver: boolean;
}

/**
 * What a reading says about a lease.
 * - `holds`: the value is there.
 * - `differs`: another value; too early to judge.
 * - `lapsed`: the device fell back by itself, or by our own stop: write again.
 * - `taken-over`: somebody else changed it; their wish stands.
 * - `settled`: back at the safe value, and not wanted any more: released, or its owner decides anew.
 */
export type LeaseVerdict = "holds" | "differs" | "lapsed" | "taken-over" | "settled";

/** One deviating reading may be the device still moving; this many in a row are somebody's wish. */
export const TAKEN_OVER_AFTER_READINGS = 3;

export function judgeLease(lease: LeaseView, reading: PointValue): LeaseVerdict {
  const isSafe = lease.revertTo !== null && isSameSetting(reading, lease.revertTo);
  if (lease.state === "released") return isSafe ? "settled" : "differs";
  if (isSameSetting(reading, lease.value)) return "holds";
  if (lease.isResuming) {
    // Without a timer and without our stop nothing but a person, or a device that lost its memory, moves a value.
    const isFallback = lease.hasTimer && lease.fallback !== null && isSameSetting(reading, lease.fallback);
    const hasFallenBack = isFallback || (isSafe && (lease.hasTimer || lease.state === "reverted"));
    if (hasFallenBack) return lease.isReasserted ? "settled" : "lapsed";
    return "taken-over";
  }
  if (lease.isTimerOver) return "lapsed";
  const isTakenOver = lease.hasMatched && lease.mismatches + 1 >= TAKEN_OVER_AFTER_READINGS;
  return isTakenOver ? "taken-over" : "differs";
}

/** What controls by the time asks it anew at every start: what it wanted before a stop may be over. */
export function isReasserted(origin: ActionOrigin): boolean {
  return origin === "schedule" || origin === "smart-charging" || origin === "smart-policy";
}

/** True when a value needs no holding: it is the safe one, or hands control back to the device. */
export function isAtRest(value: PointValue, revertTo: PointValue | null): boolean {
  return value === "SELF_RELIANCE" || (revertTo !== null && isSameSetting(value, revertTo));
}
