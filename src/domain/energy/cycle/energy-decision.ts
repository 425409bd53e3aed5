/** What the control cycle decides, and why. */
import type { OperationMode } from "../../../points/points.ts";

/** What binds a decision. The texts of each are in `energy-texts`. */
export type ReasonCode =
  | "grid-operator"
  | "fuse"
  | "circuit"
  | "contract"
  | "unbalance"
  | "feed-in"
  | "negative-price"
  | "meter-silent"
  | "meter-reversed"
  | "ignores-limit"
  | "person"
  | "schedule"
  | "smart-charging"
  | "mode-off"
  | "fast"
  | "plan"
  | "plan-waits"
  /** Shown in the place of "plan" for a battery that the plan charges fully once. */
  | "full-charge"
  | "warm-enough"
  | "surplus"
  | "hidden-surplus"
  | "no-surplus"
  | "minimum"
  | "battery-first"
  | "not-into-car"
  | "waits-minimum-time"
  | "switches-phases"
  | "wakes-car"
  | "car-does-not-charge"
  | "takes-no-command"
  | "nothing-to-do";

export interface Reason {
  readonly code: ReasonCode;
  /** The circuit, phase, limit source or device that binds; `null` if there is nothing to name. */
  readonly subject: string | null;
  /** Monotonic ms of the next change that is known; `null`: none. */
  readonly untilMs: number | null;
}

/** What a device may and should do from now on. `null` in a field: it is left as it is. */
export type Decision =
  | {
      readonly kind: "charger";
      readonly id: string;
      readonly isOn: boolean | null;
      readonly currentA: number | null;
      /** On so many phases; decided only while no current flows. */
      readonly phases: 1 | 3 | null;
      readonly reason: Reason;
    }
  /** A heat pump that the grid operator may dim, while it is blocked, and once when it is released. */
  | { readonly kind: "heat-pump"; readonly id: string; readonly isBlocked: boolean; readonly reason: Reason }
  | {
      readonly kind: "battery";
      readonly id: string;
      readonly mode: OperationMode | null;
      /** The power of the forced mode, W, positive into the battery; here `null` is: none is commanded. */
      readonly powerW: number | null;
      readonly reason: Reason;
    }
  | { readonly kind: "inverter"; readonly id: string; readonly limitPct: number | null; readonly reason: Reason };

export interface EnergyAlarm {
  readonly code: "meter-silent" | "meter-reversed" | "ignores-limit" | "limit-not-reached";
  readonly subject: string;
}
