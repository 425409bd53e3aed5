/** Examples of what only a sandbox has: made-up devices. */
import type { AssetKind } from "../../../domain/assets/asset.ts";
import type { SimulatedStates } from "../../../domain/sandbox/simulated.ts";
import type { AccountVehicle } from "../../../domain/sandbox/simulated-request.ts";

const STATES: SimulatedStates = {
  battery: {
    batteryLevel: 62,
    batteryCapacity: 10,
    dischargeLimit: 10,
    operationMode: "SELF_RELIANCE",
    maxPower: 5,
  },
  charger: {
    isPluggedIn: true,
    isChargingEnabled: true,
    maxCurrent: 16,
    phases: 3,
    energyWanted: 25,
    energySession: 4.2,
    energyTotal: 310,
  },
  hvac: {
    mode: "HEAT",
    heatSetpoint: 20,
    coolSetpoint: 25,
    holdType: "SCHEDULED",
    currentTemperature: 19.5,
    outdoorTemperature: null,
    maxPower: 2,
  },
  inverter: { maxPower: 8, cloudCover: 0.2, totalProduction: 4_012.5 },
  meter: { householdPower: null, energyImport: 3_008.1, energyExport: 2_040.7 },
  vehicle: {
    batteryLevel: 48,
    batteryCapacity: 60,
    chargeLimit: 80,
    isPluggedIn: true,
    isChargingEnabled: true,
    maxCurrent: 16,
    phases: 3,
    maxPower: 11,
    odometer: 12_040,
    pluggedInChargerId: null,
  },
};

const ID = "c6c577d3-6ac3-436e-9b1f-a4a5d24e4d7a";

const ACCOUNT_VEHICLE: AccountVehicle = {
  id: ID,
  vendor: "SIMULATED",
  username: "ann",
  name: "The blue one",
  model: "Compact",
  year: 2025,
  userId: "home",
  isReachable: true,
  chargeState: {
    batteryLevel: 48,
    batteryCapacity: 60,
    chargeLimit: 80,
    isPluggedIn: true,
    isCharging: true,
    maxCurrent: 16,
  },
  location: { latitude: 52.5, longitude: 13.4 },
};

function simulated(kind: AssetKind): object {
  return {
    id: ID,
    kind,
    vendor: "SIMULATED",
    name: null,
    model: null,
    year: null,
    category: kind === "hvac" ? "HEATING" : null,
    groupName: null,
    location: null,
    username: "ann",
    userId: "home",
    assetId: "0f4f3a51-7f2b-4a4f-8a39-3c0c2f0f5e11",
    isReachable: true,
    faults: [],
    state: STATES[kind],
    createdAt: "2026-06-21T10:15:30.000Z",
  };
}

export const SANDBOX_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  SimulatedBattery: [simulated("battery")],
  SimulatedCharger: [simulated("charger")],
  SimulatedHvac: [simulated("hvac")],
  SimulatedInverter: [simulated("inverter")],
  SimulatedMeter: [simulated("meter")],
  SimulatedVehicle: [simulated("vehicle")],
  AccountVehicle: [ACCOUNT_VEHICLE],
};
