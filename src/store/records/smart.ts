/** Records of the smart charging and HVAC features. */

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
  /** True if charging was seen since it was created. */
  readonly hasBegun: boolean;
}

/** A vehicle's policy and the state of its smart charging. */
export interface VehicleSmartRecord {
  readonly vehicleId: string;
  readonly policy: VehicleSmartChargingPolicy;
  readonly state: VehicleSmartState;
  /** Wall-clock ms. */
  readonly stateChangedAtMs: number;
  readonly updatedAtMs: number;
  readonly consideration: Consideration | null;
  /** The current plan, or the one that has just ended. */
  readonly planId: string | null;
  /** The last known charging power, kW; `null` before the first. */
  readonly seenKw: number | null;
  /**
   * True while charging has to be started without a plan: a plan that is over left it stopped, or the client or schedule
   * that had stopped it is no longer in charge.
   */
  readonly owesStart: boolean;
  /** How often the plan stopped charging. */
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
  /** End of the cycle, wall-clock ms; `null` while there is none. */
  readonly cycleEndMs: number | null;
  /**
   * When charging started to count towards the duration: at the plug-in or the start of the cycle; `null` while
   * unplugged.
   */
  readonly countFromMs: number | null;
  /** The intervals of the cycle, including past ones. */
  readonly spans: readonly ChargeSpan[];
  /** True if a price before the end of the cycle was unknown when the intervals were chosen. */
  readonly lacksPrices: boolean;
}

/** An HVAC unit's policy, and the user's setpoints around which it is controlled. */
export interface HvacSmartRecord {
  readonly hvacId: string;
  readonly policy: HvacSmartPolicy;
  /** The user's settings; `null` before they are known. */
  readonly base: HvacBase | null;
  /** The day's intervals; empty without prices. */
  readonly spans: readonly HvacSmartSpan[];
  /** End of the day of the intervals, wall-clock ms. */
  readonly dayEndMs: number | null;
  /** The last two heat setpoints that were sent, °C, the latest first. Empty before the first. */
  readonly sentSetpoints: readonly number[];
  /** True while the user's settings must be restored. */
  readonly owesRestore: boolean;
}

/**
 * Charging that was moved in time: the energy from `resumedAtMs` on would otherwise have been charged from `pausedAtMs`
 * on.
 */
export interface ChargeShiftRecord {
  readonly id: string;
  readonly assetId: string;
  readonly pausedAtMs: number;
  readonly resumedAtMs: number;
  readonly endedAtMs: number | null;
}
