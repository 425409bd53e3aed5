/** Small makers of what the API shows. */
import type { BatteryAction, ChargeAction, HvacAction, MaxCurrentAction } from "../../../src/domain/actions/action.ts";
import type { AssetKind, AssetTypes } from "../../../src/domain/assets/asset.ts";
import type { Battery } from "../../../src/domain/assets/battery.ts";
import { CAPABLE } from "../../../src/domain/assets/capability.ts";
import type { Charger } from "../../../src/domain/assets/charger.ts";
import { type Hvac, newHvac } from "../../../src/domain/assets/hvac.ts";
import type { Inverter } from "../../../src/domain/assets/inverter.ts";
import type { Meter } from "../../../src/domain/assets/meter.ts";
import { newVehicle, type Vehicle } from "../../../src/domain/assets/vehicle.ts";

const INSTANT = "2026-06-21T00:00:00.000Z";

/** A uuid that says its number. */
export function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

const COMMON = {
  id: uuid(1),
  userId: "home",
  vendor: "SIMULATED",
  lastSeen: INSTANT,
  isReachable: true,
  scopes: [] as string[],
};
const LOCATION = { id: null, longitude: null, latitude: null, lastUpdated: null };
const INFORMATION = { brand: "Sandbox", model: "One", siteName: "Home", installationDate: "2024-05-06T07:08:09.000Z" };

export function makeBattery(fields: Partial<Battery> = {}): Battery {
  return {
    ...COMMON,
    chargeState: {
      status: "IDLE",
      batteryCapacity: 10,
      batteryLevel: 50,
      chargeRate: 0,
      dischargeLimit: 10,
      lastUpdated: INSTANT,
    },
    config: { operationMode: "SELF_RELIANCE", lastUpdated: INSTANT },
    information: { id: "SN1", ...INFORMATION },
    capabilities: {
      exportFocus: CAPABLE,
      importFocus: CAPABLE,
      timeOfUse: CAPABLE,
      selfReliance: CAPABLE,
      idle: CAPABLE,
    },
    location: LOCATION,
    hemSystemId: null,
    ...fields,
  };
}

export function makeCharger(fields: Partial<Charger> = {}): Charger {
  return {
    ...COMMON,
    chargingLocationId: null,
    locationId: null,
    location: { id: null, lastUpdated: null },
    chargeState: {
      isPluggedIn: true,
      isCharging: false,
      chargeRate: null,
      maxCurrent: 16,
      powerDeliveryState: "PLUGGED_IN:STOPPED",
      lastUpdated: INSTANT,
    },
    information: { id: "C1", serialNumber: "C1", brand: "KEBA", model: "P30", year: null },
    capabilities: {
      information: CAPABLE,
      chargeState: CAPABLE,
      startCharging: CAPABLE,
      stopCharging: CAPABLE,
      setMaxCurrent: CAPABLE,
    },
    ...fields,
  };
}

export function makeInverter(fields: Partial<Inverter> = {}): Inverter {
  return {
    ...COMMON,
    chargingLocationId: null,
    productionState: { productionRate: 1, isProducing: true, totalLifetimeProduction: 5, lastUpdated: INSTANT },
    information: { id: "SN1", sn: "SN1", ...INFORMATION },
    capabilities: { productionState: CAPABLE, productionStatistics: CAPABLE },
    location: LOCATION,
    timezone: "UTC",
    hemSystemId: null,
    ...fields,
  };
}

export function makeMeter(fields: Partial<Meter> = {}): Meter {
  return {
    ...COMMON,
    information: INFORMATION,
    energyState: { power: -1.5, lastUpdated: INSTANT },
    location: LOCATION,
    capabilities: { measuresConsumption: CAPABLE, measuresProduction: CAPABLE },
    hemSystemId: null,
    ...fields,
  };
}

const SEED = {
  id: uuid(1),
  userId: "home",
  scopes: [],
  siteName: "Home",
  timezone: "UTC",
  lastSeenMs: Date.parse(INSTANT),
  installedAtMs: 0,
  device: {
    identity: { manufacturer: "Sandbox", model: "One", serial: "SN1", version: null },
    vendors: ["SIMULATED"],
    points: [],
    controls: [],
  },
};

export function makeHvac(fields: Partial<Hvac> = {}): Hvac {
  return { ...newHvac(SEED), isReachable: true, ...fields };
}

export function makeVehicle(fields: Partial<Vehicle> = {}): Vehicle {
  return { ...newVehicle(SEED), isReachable: true, ...fields };
}

/** One asset of each kind with its own id. */
export const MAKERS: { readonly [Kind in AssetKind]: (fields: { id: string; userId?: string }) => AssetTypes[Kind] } = {
  battery: makeBattery,
  charger: makeCharger,
  hvac: makeHvac,
  inverter: makeInverter,
  meter: makeMeter,
  vehicle: makeVehicle,
};

const PENDING = {
  id: uuid(900),
  userId: "home",
  createdAt: INSTANT,
  updatedAt: INSTANT,
  completedAt: null,
  state: "PENDING",
  failureReason: null,
} as const;

export function makeBatteryAction(fields: Partial<BatteryAction> = {}): BatteryAction {
  return {
    ...PENDING,
    targetId: uuid(1),
    targetType: "battery",
    targetState: { operationMode: "IDLE" },
    ...fields,
  };
}

export function makeHvacAction(fields: Partial<HvacAction> = {}): HvacAction {
  return { ...PENDING, targetId: uuid(1), targetType: "hvac", target: { holdType: "SCHEDULED" }, ...fields };
}

export function makeChargeAction(fields: Partial<ChargeAction> = {}): ChargeAction {
  return { ...PENDING, targetId: uuid(1), targetType: "charger", kind: "START", ...fields };
}

export function makeMaxCurrentAction(fields: Partial<MaxCurrentAction> = {}): MaxCurrentAction {
  return { ...PENDING, targetId: uuid(1), targetType: "charger", targetState: { maxCurrent: 10 }, ...fields };
}
