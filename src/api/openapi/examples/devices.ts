/** Examples of devices and their actions. */
import type {
  BatteryAction,
  ChargeAction,
  ChargeRateLimitAction,
  HvacAction,
  MaxCurrentAction,
} from "../../../domain/actions/action.ts";
import type { Battery } from "../../../domain/assets/battery.ts";
import { CAPABLE, INCAPABLE } from "../../../domain/assets/capability.ts";
import type { Charger } from "../../../domain/assets/charger.ts";
import type { Hvac } from "../../../domain/assets/hvac.ts";
import type { Inverter } from "../../../domain/assets/inverter.ts";
import type { Meter } from "../../../domain/assets/meter.ts";
import type { Vehicle } from "../../../domain/assets/vehicle.ts";
import type { Problem } from "../../../domain/problem.ts";
import { SCOPES } from "../../../domain/users/scope.ts";
import { problemType } from "../../answers.ts";

const SEEN = "2026-06-21T10:15:30.000Z";
const NOWHERE = { id: null, longitude: null, latitude: null, lastUpdated: null };

const BATTERY: Battery = {
  id: "8d2c6a0e-5b1f-4c39-9a47-3f0e6b2d1c58",
  userId: "home",
  vendor: "SUNSPEC",
  lastSeen: SEEN,
  isReachable: true,
  scopes: [...SCOPES.battery],
  chargeState: {
    status: "CHARGING",
    batteryCapacity: 10.2,
    batteryLevel: 64,
    chargeRate: 2.35,
    dischargeLimit: 10,
    lastUpdated: SEEN,
  },
  config: { operationMode: "SELF_RELIANCE", lastUpdated: SEEN },
  information: {
    id: "SN-204817",
    brand: "Simulated",
    model: "Hybrid 8",
    siteName: "Home",
    installationDate: "2024-05-06T07:08:09.000Z",
  },
  capabilities: {
    exportFocus: CAPABLE,
    importFocus: CAPABLE,
    timeOfUse: INCAPABLE,
    selfReliance: CAPABLE,
    idle: CAPABLE,
  },
  location: NOWHERE,
  hemSystemId: null,
};

const CHARGER: Charger = {
  id: "1f7b9d34-0c6e-4a5b-b8d2-7e91a4c0f363",
  userId: "home",
  vendor: "KEBA",
  lastSeen: SEEN,
  isReachable: true,
  scopes: [...SCOPES.charger],
  chargingLocationId: null,
  locationId: null,
  location: { id: null, lastUpdated: null },
  chargeState: {
    isPluggedIn: true,
    isCharging: true,
    chargeRate: 7.2,
    maxCurrent: 16,
    chargeRateLimit: 11.04,
    powerDeliveryState: "PLUGGED_IN:CHARGING",
    lastUpdated: SEEN,
  },
  information: { id: "17619300", serialNumber: "17619300", brand: "KEBA", model: "P30", year: null },
  capabilities: {
    information: CAPABLE,
    chargeState: CAPABLE,
    startCharging: CAPABLE,
    stopCharging: CAPABLE,
    setMaxCurrent: CAPABLE,
    setChargeRateLimit: { ...CAPABLE, range: { min: 4.14, max: 22.08 } },
  },
};

const INVERTER: Inverter = {
  id: "c3e0f5a2-9d48-4f17-8b6c-52d0e7a91b04",
  userId: "home",
  vendor: "SUNSPEC",
  lastSeen: SEEN,
  isReachable: true,
  scopes: [...SCOPES.inverter],
  chargingLocationId: null,
  productionState: { productionRate: 5.41, isProducing: true, totalLifetimeProduction: 18_342.7, lastUpdated: SEEN },
  information: {
    id: "SN-204817",
    sn: "SN-204817",
    brand: "Simulated",
    model: "Hybrid 8",
    siteName: "Home",
    installationDate: "2024-05-06T07:08:09.000Z",
  },
  capabilities: { productionState: CAPABLE, productionStatistics: INCAPABLE },
  location: NOWHERE,
  timezone: "Europe/Berlin",
  hemSystemId: null,
};

const METER: Meter = {
  id: "5a94d7c1-2e3f-4b80-a6d9-0b7c8f1e2d35",
  userId: "home",
  vendor: "MODBUS",
  lastSeen: SEEN,
  isReachable: true,
  scopes: [...SCOPES.meter],
  information: { brand: "Eastron", model: "SDM630", siteName: "Home", installationDate: "2024-05-06T07:08:09.000Z" },
  energyState: { power: -1.84, lastUpdated: SEEN },
  location: NOWHERE,
  capabilities: { measuresConsumption: CAPABLE, measuresProduction: CAPABLE },
  hemSystemId: null,
};

const ACTION = {
  id: "e6b1c2d3-4f50-4a61-9c72-8d93e0a4b5c6",
  userId: "home",
  createdAt: SEEN,
  updatedAt: SEEN,
  completedAt: null,
  state: "PENDING",
  failureReason: null,
} as const;

const BATTERY_ACTION: BatteryAction = {
  ...ACTION,
  targetId: BATTERY.id,
  targetType: "battery",
  targetState: { operationMode: "IMPORT_FOCUS" },
};

const CHARGE_ACTION: ChargeAction = { ...ACTION, targetId: CHARGER.id, targetType: "charger", kind: "START" };

const MAX_CURRENT_ACTION: MaxCurrentAction = {
  ...ACTION,
  targetId: CHARGER.id,
  targetType: "charger",
  targetState: { maxCurrent: 10 },
};

const CHARGE_RATE_LIMIT_ACTION: ChargeRateLimitAction = {
  ...ACTION,
  targetId: CHARGER.id,
  targetType: "charger",
  targetState: { chargeRateLimit: 7.4, maxCurrent: 10 },
};

const NOT_FOUND: Problem = {
  type: problemType("not-found"),
  title: "Not Found",
  detail: `There is no battery "${ACTION.id}".`,
};

const BAD_REQUEST: Problem = {
  type: problemType("bad-request"),
  title: "Bad Request",
  detail: "body.maxCurrent: Expected more than 0",
  issues: [
    {
      code: "too_small",
      path: ["maxCurrent"],
      message: "Expected more than 0",
      in: "body",
      expected: "> 0",
      received: "0",
    },
  ],
};

const HVAC: Hvac = {
  id: "0b5d8c3e-6a72-4f19-8e04-9c2f7b1d6a58",
  userId: "home",
  vendor: "SIMULATED",
  lastSeen: SEEN,
  isReachable: true,
  scopes: [...SCOPES.hvac],
  locationId: null,
  location: { id: null },
  consumptionRate: 0.82,
  information: {
    brand: "Simulated",
    model: "Heat pump 6",
    displayName: "Living room",
    groupName: null,
    category: "HEAT_PUMP",
  },
  capabilities: {
    capableModes: ["OFF", "AUTO", "COOL", "HEAT"],
    capableHoldTypes: ["PERMANENT", "SCHEDULED"],
    coolSetpointRange: { min: 18, max: 30 },
    heatSetpointRange: { min: 10, max: 28 },
    setpointDifferenceRange: { min: 2, max: null },
    setFollowSchedule: CAPABLE,
    setPermanentHold: CAPABLE,
  },
  thermostatState: { mode: "HEAT", heatSetpoint: 21, coolSetpoint: 26, holdType: "PERMANENT", lastUpdated: SEEN },
  temperatureState: { currentTemperature: 20.4, isActive: true, lastUpdated: SEEN },
  mode: "HEAT",
  heatSetpoint: 21,
  coolSetpoint: 26,
  holdType: "PERMANENT",
  isActive: true,
  currentTemperature: 20.4,
};

const VEHICLE: Vehicle = {
  id: "7e2a9f40-1d3b-4c65-92f8-a0b4e6c7d819",
  userId: "home",
  vendor: "SIMULATED",
  lastSeen: SEEN,
  isReachable: true,
  scopes: [...SCOPES.vehicle],
  locationId: null,
  information: { displayName: "Car", vin: "WHG00000000000001", brand: "Simulated", model: "E 60", year: 2025 },
  chargeState: {
    batteryLevel: 48,
    range: 212,
    isPluggedIn: true,
    isCharging: true,
    isFullyCharged: false,
    batteryCapacity: 60,
    chargeLimit: 80,
    chargeRate: 7.2,
    chargeTimeRemaining: 160,
    maxCurrent: 16,
    powerDeliveryState: "PLUGGED_IN:CHARGING",
    pluggedInChargerId: CHARGER.id,
    lastUpdated: SEEN,
  },
  smartChargingPolicy: { isEnabled: false, deadline: null, minimumChargeLimit: 0 },
  location: { ...NOWHERE, latitude: 52.52, longitude: 13.405, lastUpdated: SEEN },
  odometer: { distance: 18_204, lastUpdated: SEEN },
  capabilities: {
    information: CAPABLE,
    chargeState: CAPABLE,
    location: CAPABLE,
    odometer: CAPABLE,
    setMaxCurrent: CAPABLE,
    startCharging: CAPABLE,
    stopCharging: CAPABLE,
    smartCharging: CAPABLE,
  },
};

const HVAC_ACTION: HvacAction = {
  ...ACTION,
  targetId: HVAC.id,
  targetType: "hvac",
  target: { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 21 },
};

export const DEVICE_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  AccessToken: [{ access_token: "b3BhcXVlLWV4YW1wbGU", expires_in: 3599, scope: "", token_type: "bearer" }],
  Battery: [BATTERY],
  BatteryAction: [BATTERY_ACTION],
  Charger: [CHARGER],
  ChargeAction: [CHARGE_ACTION],
  ChargeRateLimitAction: [CHARGE_RATE_LIMIT_ACTION],
  ChargeRateLimitRequest: [{ chargeRateLimit: 7.4 }],
  ChargingRequest: [{ action: "START" }],
  Hvac: [HVAC],
  HvacAction: [HVAC_ACTION],
  Inverter: [INVERTER],
  MaxCurrentAction: [MAX_CURRENT_ACTION],
  MaxCurrentRequest: [{ maxCurrent: 10 }],
  Meter: [METER],
  OAuthError: [{ error: "invalid_client", error_description: "The client is unknown or its secret is wrong." }],
  OperationModeRequest: [{ operationMode: "IMPORT_FOCUS" }],
  Problem: [NOT_FOUND, BAD_REQUEST],
  Vehicle: [VEHICLE],
};
