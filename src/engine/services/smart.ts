import type { VehicleSmartChargingPolicy } from "../../domain/vehicle.ts";
import type {
  VehicleChargingPlan,
  VehiclePolicyUpdate,
  VehicleSmartStatus,
} from "../../domain/vehicle-smart-charging.ts";

/** Smart charging of vehicles (supplement 2.4). Ids that nobody has throw `not-found`. */
export interface VehicleSmartCharging {
  policy(vehicleId: string): VehicleSmartChargingPolicy;
  /** Throws `bad-request`, titled "Cannot activate smart charging", when the policy would be on and cannot be. */
  setPolicy(vehicleId: string, update: VehiclePolicyUpdate): Promise<VehicleSmartChargingPolicy>;
  status(vehicleId: string): VehicleSmartStatus;
  /** A plan of the vehicle by its id, or the latest; null when there is none. */
  plan(vehicleId: string, planId: string): VehicleChargingPlan | null;
}
