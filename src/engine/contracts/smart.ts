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

/** Smart charging of vehicles (rule S2.4). Unknown ids throw `not-found`. */
export interface VehicleSmartCharging {
  policy(vehicleId: string): VehicleSmartChargingPolicy;
  /** Changes a policy. Throws `bad-request`, titled "Cannot activate smart charging", if it cannot be switched on. */
  setPolicy(vehicleId: string, update: VehiclePolicyUpdate): Promise<VehicleSmartChargingPolicy>;
  status(vehicleId: string): VehicleSmartStatus;
  /** Returns a plan of the vehicle by its id, or the latest; `null` if there is none. */
  plan(vehicleId: string, planId: string): VehicleChargingPlan | null;
}

/** Smart charging of chargers (rule S2.5). Unknown ids throw `not-found`. */
export interface ChargerSmartCharging {
  policy(chargerId: string): ChargerSmartPolicy;
  setPolicy(chargerId: string, update: ChargerPolicyUpdate): Promise<ChargerSmartPolicy>;
  status(chargerId: string): ChargerSmartStatus;
}

/** The smart policy of HVAC units (rule S2.6). Unknown ids throw `not-found`. */
export interface HvacSmart {
  policy(hvacId: string): HvacSmartPolicy;
  /** Changes a policy. Throws `forbidden` and `bad-request` if it is switched on and the unit does not support holds. */
  setPolicy(hvacId: string, update: HvacPolicyUpdate): Promise<HvacSmartPolicy>;
  status(hvacId: string): HvacSmartStatus;
}
