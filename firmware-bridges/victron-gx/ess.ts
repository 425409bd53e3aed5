import { type Control, DeviceError, type OperationMode, type PointValue } from "hemgate/sdk";
import type { Command } from "../kit/bridge.ts";
import { gxCommand } from "./gx-write.ts";

/** The set point is a loop around the battery's power: it is recalculated this often. */
const LOOP_MS = 10_000;
/**
 * A forced charge asks for import, and a forced discharge for export, of at least this, W. So neither turns round when
 * nobody renews it and the sun goes.
 */
const LEAST_W = 1;
/** ESS by its own loop, with and without compensation of phases; 3 is control by somebody else. */
const OWN_LOOP = [1, 2];
/** `BatteryLife/State`: keep batteries charged. */
const KEEP_CHARGED = 9;

/** What is known of the energy storage system, by path; undefined: not reported. */
export interface EssState {
  /** `system/0/DynamicEss/Active`: Victron's own scheduler is at work. Software before 3.50 does not tell it. */
  readonly isScheduled?: number | null;
  /** `Settings/DynamicEss/Mode`: 0 off; in the others the scheduler may begin at any time. */
  readonly scheduler?: number | null;
  /** `Settings/CGwacs/Hub4Mode`. */
  readonly mode?: number | null;
  /** `Settings/CGwacs/BatteryLife/State`. */
  readonly batteryLife?: number | null;
  /** `Settings/CGwacs/AcPowerSetPoint`, W: the owner's set point, in flash. */
  readonly ownersW?: number | null;
  /** `hub4/0/Overrides/Setpoint`, W: volatile. Null: nobody overrides. */
  readonly overrideW?: number | null;
  /** `Settings/CGwacs/MaxDischargePower`, W; -1 no limit. */
  readonly mostDischargeW?: number | null;
  /** `Settings/CGwacs/MaxChargePower`, W; -1 no limit. */
  readonly mostChargeW?: number | null;
  /** W at the grid, positive on import, and into the battery. */
  readonly gridW?: number | null;
  readonly batteryW?: number | null;
}

export interface EssLimits {
  readonly maxChargeW: number | undefined;
  readonly maxDischargeW: number | undefined;
}

/** The battery's target. */
export function essMode(state: EssState): OperationMode {
  if (state.isScheduled === 1) return "TIME_OF_USE";
  if (state.mode === undefined || state.mode === null || !OWN_LOOP.includes(state.mode)) return "UNKNOWN";
  if (state.mostDischargeW === 0 && state.mostChargeW === 0) return "IDLE";
  const { overrideW = null, ownersW = null } = state;
  if (overrideW !== null && overrideW !== 0 && overrideW !== ownersW) {
    return overrideW >= LEAST_W ? "IMPORT_FOCUS" : "EXPORT_FOCUS";
  }
  return state.batteryLife === KEEP_CHARGED ? "IMPORT_FOCUS" : "SELF_RELIANCE";
}

/** Absent without ESS, without a volatile set point, and without the battery's limits in the settings. */
export function essControls({ mode, overrideW }: EssState, limits: EssLimits): readonly Control[] {
  if (mode === undefined || overrideW === undefined) return [];
  if (limits.maxChargeW === undefined || limits.maxDischargeW === undefined) return [];
  return [
    {
      point: "battery.mode",
      values: ["SELF_RELIANCE", "IMPORT_FOCUS", "EXPORT_FOCUS"],
      holdMs: null,
      renewMs: LOOP_MS,
      safeDefault: "SELF_RELIANCE",
    },
  ];
}

/** How to aim for it; `topic` is that of the override. Throws a `DeviceError` where nobody but ESS may, or can. */
export function essCommand(requested: PointValue, topic: string, state: EssState, limits: EssLimits): Command {
  const { isScheduled, scheduler = 0, mode = null, ownersW = null } = state;
  const mayBegin = scheduler !== 0 && scheduler !== null;
  // What was forced before its owner switched the scheduler on is taken back: until it begins nobody else would.
  if (isScheduled !== 0 || (mayBegin && requested !== "SELF_RELIANCE")) {
    throw new DeviceError(
      "rejected",
      `battery.mode ${requested}: Dynamic ESS schedules this battery, or may at any time`,
    );
  }
  if (mode === null || !OWN_LOOP.includes(mode)) {
    throw new DeviceError("rejected", `battery.mode ${requested}: ESS is under external control`);
  }
  if (requested === "SELF_RELIANCE") {
    // With nothing to override the owner's set point holds.
    const isSame = (value: unknown): boolean => value === null || value === 0 || value === ownersW;
    return gxCommand([], { topic, value: null, isSame });
  }
  return gxCommand([], { topic, value: setpoint(requested === "IMPORT_FOCUS", state, limits) });
}

/** The power at the grid with which the battery takes, or gives, what it can, W. */
function setpoint(isCharge: boolean, { gridW = null, batteryW = null }: EssState, limits: EssLimits): number {
  if (gridW === null || batteryW === null) {
    throw new DeviceError("rejected", "the power of the grid and of the battery have to be known for a set point");
  }
  const target = isCharge ? (limits.maxChargeW ?? 0) : -(limits.maxDischargeW ?? 0);
  const requested = Math.round(gridW + target - batteryW);
  return isCharge ? Math.max(LEAST_W, requested) : Math.min(-LEAST_W, requested);
}
