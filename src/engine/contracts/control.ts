import type { ChargeTargetType, ControllerKind } from "../../domain/actions/action.ts";
import type { SmartOverride } from "../../domain/smart/smart-override.ts";
import type { Follower } from "../assets/followers.ts";

/** A feature that may control targets: schedules, smart charging, the HVAC policy. */
export interface Controller {
  readonly kind: ControllerKind;
  /** True while the feature is in charge of the target: commands of clients are refused with 422 meanwhile. */
  controls(targetId: string): boolean;
  /** Another feature takes the target: switches this one off for it, stored when the promise resolves. */
  release(targetId: string): Promise<void>;
}

/** One controller per device (rule S2.4). */
export interface Controllers {
  /** The feature in charge of a target; null when none is. */
  inChargeOf(targetId: string): ControllerKind | null;
  /**
   * Releases the target from every other feature, then runs what switches this one on. Take-overs of one target run one
   * after the other, so that two at once never leave both on. The caller holds no lock of its own meanwhile.
   */
  takeOver<T>(targetId: string, by: ControllerKind, enable: () => Promise<T>): Promise<T>;
}

/** "Charge now" on a charger or vehicle, against whatever controls it (rules I2.13, I3.2 and S2.3). */
export interface SmartOverrides {
  active(targetId: string): SmartOverride | null;
  /** The active one unchanged, or a new one. Throws `not-found`, and what starting to charge throws. */
  start(targetType: ChargeTargetType, targetId: string): Promise<SmartOverride>;
  /** The ended one; null when none is active. Throws `not-found` for the target. */
  end(targetType: ChargeTargetType, targetId: string): Promise<SmartOverride | null>;
  /** Calls the listener after an override began or ended. Disposing ends it. */
  observe(listener: (targetId: string) => void): Disposable;
  /** Runs the follower after a client began or ended an override, before that is answered. Disposing ends it. */
  follow(follower: Follower): Disposable;
}

/** Charging that smart charging moved: what was drawn from `resumedAtMs` on would have been drawn from `pausedAtMs` on. */
export interface ChargeShift {
  readonly assetId: string;
  readonly pausedAtMs: number;
  readonly resumedAtMs: number;
  /** Null while it goes on. */
  readonly endedAtMs: number | null;
}

/** What smart charging moved, for the statistics' `nonSmartPrice` and `estimatedSavings`. */
export interface ChargeShifts {
  /** The shifts of an asset that touch [fromMs, toMs), oldest first. */
  between(assetId: string, fromMs: number, toMs: number): readonly ChargeShift[];
}
