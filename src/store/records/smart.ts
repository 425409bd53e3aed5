/** What the smart features keep. */

import type { VehicleSmartChargingPolicy } from "../../domain/assets/vehicle.ts";
import type { ChargerSmartPolicy, ChargerSmartState } from "../../domain/smart/charger-smart-charging.ts";
import type { ChargeSpan } from "../../domain/smart/charger-smart-intervals.ts";
import type { HvacBase, HvacSmartPolicy, HvacSmartSpan } from "../../domain/smart/hvac-smart-policy.ts";
import type { SmartOverride } from "../../domain/smart/smart-override.ts";
import type { Consideration, VehicleSmartState } from "../../domain/smart/vehicle-smart-charging.ts";
import type { ExecutedPlan } from "../../domain/smart/vehicle-smart-plan.ts";

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

/** A charger's policy, its intervals and its state. */
export interface ChargerSmartRecord {
  readonly chargerId: string;
  readonly policy: ChargerSmartPolicy;
  readonly state: ChargerSmartState;
  /** Wall-clock ms. */
  readonly stateChangedAtMs: number;
  /** The end of the cycle; null while there is none. */
  readonly cycleEndMs: number | null;
  /** Since when charging counts towards the duration: the plug-in or the beginning of the cycle; null while unplugged. */
  readonly countFromMs: number | null;
  /** The intervals of the cycle, past ones too. */
  readonly spans: readonly ChargeSpan[];
  /** The price of some hour until the end of the cycle was unknown when they were chosen. */
  readonly lacksPrices: boolean;
}

/** An HVAC unit's policy, and what it is held around. */
export interface HvacSmartRecord {
  readonly hvacId: string;
  readonly policy: HvacSmartPolicy;
  /** What the user had set; null before it is known. */
  readonly base: HvacBase | null;
  /** The day's intervals; empty without prices. */
  readonly spans: readonly HvacSmartSpan[];
  /** Wall-clock ms of the day that they are for. */
  readonly dayEndMs: number | null;
  /** The heat setpoints that were last sent, °C: the latest, and the one before. Empty before the first. */
  readonly sentSetpoints: readonly number[];
  /** True while what the user had set is to be put back. */
  readonly owesRestore: boolean;
}

/** Charging that was moved: what was drawn from `resumedAtMs` on would have been drawn from `pausedAtMs` on. */
export interface ChargeShiftRecord {
  readonly id: string;
  readonly assetId: string;
  readonly pausedAtMs: number;
  readonly resumedAtMs: number;
  readonly endedAtMs: number | null;
}
