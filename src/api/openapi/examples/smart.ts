/** Examples of what is smart: overrides, policies, statuses and plans. */

import type { VehicleSmartChargingPolicy } from "../../../domain/assets/vehicle.ts";
import type { ChargerSmartPolicy, ChargerSmartStatus } from "../../../domain/smart/charger-smart-charging.ts";
import type { HvacSmartStatus } from "../../../domain/smart/hvac-smart-policy.ts";
import type { SmartOverride } from "../../../domain/smart/smart-override.ts";
import type { VehicleChargingPlan, VehicleSmartStatus } from "../../../domain/smart/vehicle-smart-charging.ts";

const VEHICLE_ID = "5c3e9a70-2f1d-4b86-8e54-90ad7b6c1f22";
const CHARGER_ID = "1f7b9d34-0c6e-4a5b-b8d2-7e91a4c0f363";

const OVERRIDE: SmartOverride = {
  createdAt: "2026-06-21T18:05:12.000Z",
  endedAt: null,
  targetType: "charger",
  targetId: CHARGER_ID,
  vendorActionId: "b1f0c7d2-93a4-4e0b-8a55-0d7f2c61e9a8",
  userId: "home",
  vendor: "KEBA",
};

const PLAN: VehicleChargingPlan = {
  id: "e2a64b0f-7d35-4c18-9f02-6b8d51c3a7e4",
  vehicleId: VEHICLE_ID,
  userId: "home",
  locationId: "a90f6c1d-58e2-4b37-8c64-2d1e7f3b5a09",
  vendor: "TESLA",
  currency: "EUR",
  nonSmartCost: 8.4,
  smartCost: 3.15,
  stopAt: "2026-06-21T18:05:12.000Z",
  startAt: "2026-06-22T01:00:00.000Z",
  estimatedFinishAt: "2026-06-22T03:45:00.000Z",
  stopConfirmedAt: "2026-06-21T18:05:31.000Z",
  startConfirmedAt: null,
  endedAt: null,
  finalState: null,
  failureCondition: null,
};

const STATUS: VehicleSmartStatus = {
  updatedAt: "2026-06-21T18:05:31.000Z",
  vehicleId: VEHICLE_ID,
  userId: "home",
  vendor: "TESLA",
  state: "PLAN:EXECUTING:STOPPED",
  stateChangedAt: "2026-06-21T18:05:31.000Z",
  consideration: null,
  plan: PLAN,
  smartOverride: null,
};

const VEHICLE_POLICY: VehicleSmartChargingPolicy = { isEnabled: true, deadline: "07:00", minimumChargeLimit: 20 };

const CHARGER_POLICY: ChargerSmartPolicy = { isEnabled: true, deadline: "07:00", chargingDuration: "03:30" };

const CHARGER_STATUS: ChargerSmartStatus = {
  chargerId: CHARGER_ID,
  userId: "home",
  state: "CHARGING_PAUSED",
  chargingIntervals: [
    { status: "COMPLETED", startTime: "2026-06-21T12:00:00.000Z", endTime: "2026-06-21T13:30:00.000Z" },
    { status: "PLANNED", startTime: "2026-06-22T01:00:00.000Z", endTime: "2026-06-22T03:00:00.000Z" },
  ],
};

const HVAC_STATUS: HvacSmartStatus = {
  hvacId: "d07a1c58-64e3-4f92-b1a5-8c2e0f7d3b96",
  userId: "home",
  intervals: [
    { from: "00:00", to: "01:00", heatSetpoint: 21 },
    { from: "01:00", to: "07:00", heatSetpoint: 22 },
    { from: "07:00", to: "16:00", heatSetpoint: 21 },
    { from: "16:00", to: "22:00", heatSetpoint: 20 },
    { from: "22:00", to: "24:00", heatSetpoint: 21 },
  ],
};

/** By the id of the schema. */
export const SMART_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  SmartOverride: [OVERRIDE],
  VehicleSmartChargingPlan: [PLAN],
  VehicleSmartChargingStatus: [STATUS],
  VehicleSmartChargingPolicy: [VEHICLE_POLICY],
  ChargerSmartChargingPolicy: [CHARGER_POLICY],
  ChargerSmartChargingStatus: [CHARGER_STATUS],
  HvacSmartPolicy: [{ isEnabled: true }],
  HvacSmartStatus: [HVAC_STATUS],
};
