import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import {
  ASSET_FIELDS,
  AssetLocation,
  DeviceName,
  instant,
  MAKE_FIELDS,
  NO_LOCATION,
  NullableInstant,
} from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull, tidyOrNull } from "../units.ts";
import { type AssetSeed, controlOf, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { ChargerPowerDeliveryState } from "./charger.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";
import { foldWhereabouts } from "./whereabouts.ts";

/** Plug and power (rule S2.1): a charger's states, and the vehicle's own limit reached. */
const VehiclePowerDeliveryState = z.enum([...ChargerPowerDeliveryState.options, "PLUGGED_IN:COMPLETE"]);

/** When and how far a vehicle charges by itself (rules I2.7 and S2.4). */
export const VehicleSmartChargingPolicy = z
  .object({
    isEnabled: z.boolean(),
    deadline: z.string().nullable().meta({ description: "HH:MM in the location's zone by which it is charged." }),
    minimumChargeLimit: z.number().meta({ description: "Percent below which it charges at any price." }),
  })
  .meta({ id: "VehicleSmartChargingPolicy" });
export type VehicleSmartChargingPolicy = z.infer<typeof VehicleSmartChargingPolicy>;

export const NO_VEHICLE_POLICY: VehicleSmartChargingPolicy = {
  isEnabled: false,
  deadline: null,
  minimumChargeLimit: 0,
};

/** An electric vehicle (rules I2.7, S0.12 and S2.1). */
export const Vehicle = z
  .object({
    ...ASSET_FIELDS,
    isReachable: z.boolean().nullable(),
    locationId: z.uuid().nullable(),
    information: z.object({
      displayName: DeviceName,
      vin: z.string().nullable(),
      ...MAKE_FIELDS,
      year: z.int().nullable(),
    }),
    chargeState: z.object({
      batteryLevel: z.number().nullable().meta({ description: "State of charge, percent." }),
      range: z.number().nullable().meta({ description: "km." }),
      isPluggedIn: z.boolean().nullable(),
      isCharging: z.boolean().nullable(),
      isFullyCharged: z.boolean().nullable(),
      batteryCapacity: z.number().nullable().meta({ description: "kWh." }),
      chargeLimit: z.number().nullable().meta({ description: "Percent at which the vehicle stops by itself." }),
      chargeRate: z.number().nullable().meta({ description: "kW into the vehicle; null unless charging." }),
      chargeTimeRemaining: z.number().nullable().meta({ description: "Minutes; null unless charging." }),
      maxCurrent: z.number().nullable().meta({ description: "Ampere per phase." }),
      powerDeliveryState: VehiclePowerDeliveryState,
      pluggedInChargerId: z.string().nullable().optional().meta({
        description: "The charger that it was found to hang on; null when on none; absent when it cannot be told.",
      }),
      lastUpdated: NullableInstant,
    }),
    smartChargingPolicy: VehicleSmartChargingPolicy,
    location: AssetLocation,
    odometer: z.object({
      distance: z.number().nullable().meta({ description: "km." }),
      lastUpdated: NullableInstant,
    }),
    capabilities: z.object({
      information: Capability,
      chargeState: Capability,
      location: Capability,
      odometer: Capability,
      setMaxCurrent: Capability,
      startCharging: Capability,
      stopCharging: Capability,
      smartCharging: Capability,
    }),
  })
  .meta({ id: "Vehicle", description: "An electric vehicle." });
export type Vehicle = z.infer<typeof Vehicle>;

const CHARGE_STATE_POINTS: readonly PointName[] = [
  "vehicle.soc",
  "vehicle.capacity",
  "vehicle.chargeLimit",
  "vehicle.range",
  "vehicle.state",
  "vehicle.power",
  "vehicle.timeToFull",
  "vehicle.maxCurrent",
];

/** A vehicle before its first reading. */
export function newVehicle(seed: AssetSeed): Vehicle {
  const { identity, points } = seed.device;
  const enabled = controlOf(seed.device, "vehicle.enabled");
  const canSwitch = (value: boolean): boolean => enabled !== null && (enabled.values?.includes(value) ?? true);
  const hasChargeState = points.includes("vehicle.state");
  return {
    ...seedFields("vehicle", seed),
    locationId: null,
    information: {
      displayName: seed.siteName,
      vin: identity.serial,
      ...seedMake("vehicle", seed),
      year: identity.year ?? null,
    },
    chargeState: {
      batteryLevel: null,
      range: null,
      isPluggedIn: null,
      isCharging: null,
      isFullyCharged: null,
      batteryCapacity: null,
      chargeLimit: null,
      chargeRate: null,
      chargeTimeRemaining: null,
      maxCurrent: null,
      powerDeliveryState: "UNKNOWN",
      lastUpdated: null,
    },
    smartChargingPolicy: NO_VEHICLE_POLICY,
    location: NO_LOCATION,
    odometer: { distance: null, lastUpdated: null },
    capabilities: {
      information: capability(identity.model !== null || identity.serial !== null),
      chargeState: capability(hasChargeState && points.includes("vehicle.soc")),
      location: capability(points.includes("vehicle.latitude")),
      odometer: capability(points.includes("vehicle.odometer")),
      setMaxCurrent: capability(controlOf(seed.device, "vehicle.maxCurrent") !== null),
      startCharging: capability(canSwitch(true)),
      stopCharging: capability(canSwitch(false)),
      smartCharging: capability(hasChargeState && canSwitch(true) && canSwitch(false)),
    },
  };
}

/** The vehicle after a turn: W and Wh become kW and kWh; positive is into the vehicle. */
export function foldVehicle(vehicle: Vehicle, snapshot: Snapshot, nowMs: number): Vehicle {
  const { values } = snapshot;
  let { chargeState, odometer } = vehicle;
  if (isFresh(snapshot, CHARGE_STATE_POINTS)) chargeState = foldChargeState(chargeState, snapshot, nowMs);
  if (isFresh(snapshot, ["vehicle.odometer"])) {
    odometer = patch(odometer, {
      distance: tidyOrNull(values["vehicle.odometer"] ?? null),
      lastUpdated: instant(nowMs),
    });
  }
  const location = foldWhereabouts("vehicle", vehicle, snapshot, nowMs);
  return patch(vehicle, { chargeState, odometer, location });
}

type ChargeState = Vehicle["chargeState"];

function foldChargeState(before: ChargeState, { values }: Snapshot, nowMs: number): ChargeState {
  const state = values["vehicle.state"] ?? "UNKNOWN";
  const isKnown = state !== "UNKNOWN";
  const isCharging = state === "PLUGGED_IN:CHARGING";
  return patch(before, {
    batteryLevel: tidyOrNull(values["vehicle.soc"] ?? null),
    range: tidyOrNull(values["vehicle.range"] ?? null),
    isPluggedIn: isKnown ? state !== "UNPLUGGED" : null,
    isCharging: isKnown ? isCharging : null,
    isFullyCharged: isKnown ? isFull(values) : null,
    batteryCapacity: kiloOrNull(values["vehicle.capacity"] ?? null),
    chargeLimit: tidyOrNull(values["vehicle.chargeLimit"] ?? null),
    chargeRate: isCharging ? kiloOrNull(values["vehicle.power"] ?? null) : null,
    chargeTimeRemaining: isCharging ? tidyOrNull(values["vehicle.timeToFull"] ?? null) : null,
    maxCurrent: tidyOrNull(values["vehicle.maxCurrent"] ?? null),
    powerDeliveryState: state,
    lastUpdated: instant(nowMs),
  });
}

/** Full is what the vehicle says, or a level at its limit. */
function isFull(values: Snapshot["values"]): boolean {
  if (values["vehicle.state"] === "PLUGGED_IN:COMPLETE") return true;
  const soc = values["vehicle.soc"] ?? null;
  return soc !== null && soc >= (values["vehicle.chargeLimit"] ?? 100);
}
