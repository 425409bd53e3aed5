/** What the smart features keep. */
import type { SmartOverride } from "../../domain/smart-override.ts";
import type { VehicleSmartChargingPolicy } from "../../domain/vehicle.ts";
import type { Consideration, VehicleSmartState } from "../../domain/vehicle-smart-charging.ts";
import type { ExecutedPlan } from "../../domain/vehicle-smart-plan.ts";

/** A smart override, active or ended. */
export interface OverrideRecord {
  readonly id: string;
  readonly override: SmartOverride;
  /** True once charging was seen since it was made. */
  readonly hasBegun: boolean;
}

/** A vehicle's policy and where its smart charging is. */
export interface VehicleSmartRecord {
  readonly vehicleId: string;
  readonly policy: VehicleSmartChargingPolicy;
  readonly state: VehicleSmartState;
  /** Wall-clock ms. */
  readonly stateChangedAtMs: number;
  readonly updatedAtMs: number;
  readonly consideration: Consideration | null;
  /** The plan that is executed or has just ended. */
  readonly planId: string | null;
  /** The charging power that was seen last, kW; null before the first. */
  readonly seenKw: number | null;
  /** True while the vehicle stands still because of a plan that is over: it is to charge again. */
  readonly owesStart: boolean;
  /** How often the plan stopped the vehicle. */
  readonly stops: number;
}

/** A plan of a vehicle; keyed by its id. */
export type VehiclePlanRecord = ExecutedPlan;

/** Charging that was moved: what was drawn from `resumedAtMs` on would have been drawn from `pausedAtMs` on. */
export interface ChargeShiftRecord {
  readonly id: string;
  readonly assetId: string;
  readonly pausedAtMs: number;
  readonly resumedAtMs: number;
  readonly endedAtMs: number | null;
}
