import type { VehicleSmartChargingPolicy } from "../../domain/assets/vehicle.ts";
import type {
  ChargerPolicyUpdate,
  ChargerSmartPolicy,
  ChargerSmartStatus,
} from "../../domain/smart/charger-smart-charging.ts";
import type { HvacPolicyUpdate, HvacSmartPolicy, HvacSmartStatus } from "../../domain/smart/hvac-smart-policy.ts";
import type {
  VehicleChargingPlan,
  VehiclePolicyUpdate,
  VehicleSmartStatus,
} from "../../domain/smart/vehicle-smart-charging.ts";

/** Smart charging of vehicles (rule S2.4). Ids that nobody has throw `not-found`. */
export interface VehicleSmartCharging {
  policy(vehicleId: string): VehicleSmartChargingPolicy;
  /** Throws `bad-request`, titled "Cannot activate smart charging", when the policy would be on and cannot be. */
  setPolicy(vehicleId: string, update: VehiclePolicyUpdate): Promise<VehicleSmartChargingPolicy>;
  status(vehicleId: string): VehicleSmartStatus;
  /** A plan of the vehicle by its id, or the latest; null when there is none. */
  plan(vehicleId: string, planId: string): VehicleChargingPlan | null;
}

/** Smart charging of chargers (rule S2.5). Ids that nobody has throw `not-found`. */
export interface ChargerSmartCharging {
  policy(chargerId: string): ChargerSmartPolicy;
  setPolicy(chargerId: string, update: ChargerPolicyUpdate): Promise<ChargerSmartPolicy>;
  status(chargerId: string): ChargerSmartStatus;
}

/** The smart policy of HVAC units (rule S2.6). Ids that nobody has throw `not-found`. */
export interface HvacSmart {
  policy(hvacId: string): HvacSmartPolicy;
  /** Throws `forbidden` and `bad-request` when it would be on and the unit cannot be held. */
  setPolicy(hvacId: string, update: HvacPolicyUpdate): Promise<HvacSmartPolicy>;
  status(hvacId: string): HvacSmartStatus;
}
