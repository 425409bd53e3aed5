import type { ChargeTargetType, ControllerKind } from "../../domain/actions/action.ts";
import type { SmartOverride } from "../../domain/smart/smart-override.ts";
import type { Follower } from "../assets/followers.ts";

/** A feature that can be the automation owner of targets: schedules, smart charging, the HVAC policy. */
export interface Controller {
  readonly kind: ControllerKind;
  /** True while the feature controls the target; commands of clients are refused with 422 meanwhile. */
  controls(targetId: string): boolean;
  /** Switches the feature off for a target that another feature takes over; stored when the promise resolves. */
  release(targetId: string): Promise<void>;
}

/** Ensures that at most one feature controls a target (rule S2.4). */
export interface Controllers {
  /** Returns the kind of the feature that controls a target; `null` if none does. */
  inChargeOf(targetId: string): ControllerKind | null;
  /**
   * Releases the target from all other features, then runs `enable`. Take-overs of one target run one after the other, so
   * that never two features are on. The caller must not hold a lock.
   */
  takeOver<T>(targetId: string, by: ControllerKind, enable: () => Promise<T>): Promise<T>;
}

/** "Charge now" on a charger or vehicle, which overrides its automation owner (rules I2.13, I3.2 and S2.3). */
export interface SmartOverrides {
  active(targetId: string): SmartOverride | null;
  /** Returns the active override, or starts one. Throws `not-found`, and as `Actions.start` does. */
  start(targetType: ChargeTargetType, targetId: string): Promise<SmartOverride>;
  /** Ends the active override and returns it; `null` if none is active. Throws `not-found` for the target. */
  end(targetType: ChargeTargetType, targetId: string): Promise<SmartOverride | null>;
  /** Calls the listener after an override began or ended. Disposing the result unsubscribes. */
  observe(listener: (targetId: string) => void): Disposable;
  /** Runs the follower after a client began or ended an override, before the answer. Disposing the result unsubscribes. */
  follow(follower: Follower): Disposable;
}

/** A charging that smart charging delayed from `pausedAtMs` to `resumedAtMs`. Times are wall-clock ms. */
export interface ChargeShift {
  readonly assetId: string;
  readonly pausedAtMs: number;
  readonly resumedAtMs: number;
  /** `null` while the charging continues. */
  readonly endedAtMs: number | null;
}

/** The delays by smart charging, for `nonSmartPrice` and `estimatedSavings` in the statistics. */
export interface ChargeShifts {
  /** Returns the shifts of an asset that overlap [fromMs, toMs), oldest first. */
  between(assetId: string, fromMs: number, toMs: number): readonly ChargeShift[];
}
