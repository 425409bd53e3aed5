import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import {
  ASSET_FIELDS,
  AssetLocation,
  DeviceName,
  instant,
  LastUpdated,
  LocationId,
  MAKE_FIELDS,
  NO_LOCATION,
} from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull, threeDecimalsOrNull } from "../units.ts";
import { foldLocation } from "./asset-location.ts";
import { type AssetSeed, controlOf, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { ChargerPowerDeliveryState, POWER_DELIVERY_STATE } from "./charger.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";

/** The state of plug and charging (rule S2.1): those of a charger, and `PLUGGED_IN:COMPLETE`. */
const VehiclePowerDeliveryState = z.enum([...ChargerPowerDeliveryState.options, "PLUGGED_IN:COMPLETE"]);

/** The settings of a vehicle's smart charging (rules I2.7 and S2.4). */
export const VehicleSmartChargingPolicy = z
  .object({
    isEnabled: z.boolean().meta({ description: "`true` while smart charging is switched on for the vehicle." }),
    deadline: z.string().nullable().meta({
      description:
        "Time of day, HH:MM in the location's time zone, by which the vehicle is charged; `null` if none is set.",
    }),
    minimumChargeLimit: z.number().meta({
      description: "State of charge below which the vehicle charges at any price, %.",
    }),
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
    isReachable: z.boolean().nullable().meta({
      description: "`false` if the vehicle does not answer now, such as while it sleeps; `null` if not known.",
    }),
    locationId: LocationId,
    information: z.object({
      displayName: DeviceName,
      vin: z.string().nullable().meta({ description: "Vehicle identification number; `null` if not known." }),
      ...MAKE_FIELDS,
      year: z.int().nullable().meta({ description: "Model year; `null` if not known." }),
    }),
    chargeState: z.object({
      batteryLevel: z.number().nullable().meta({ description: "State of charge, %; `null` if not known." }),
      range: z.number().nullable().meta({ description: "Remaining range, km; `null` if not known." }),
      isPluggedIn: z.boolean().nullable().meta({ description: "`null` if the state is not known." }),
      isCharging: z.boolean().nullable().meta({ description: "`null` if the state is not known." }),
      isFullyCharged: z.boolean().nullable().meta({
        description: "`true` if the vehicle reports it, or if `batteryLevel` has reached `chargeLimit`.",
      }),
      batteryCapacity: z.number().nullable().meta({
        description: "Usable energy of the full battery, kWh; `null` if not known.",
      }),
      chargeLimit: z.number().nullable().meta({
        description: "State of charge at which the vehicle stops charging by itself, %; `null` if not known.",
      }),
      chargeRate: z.number().nullable().meta({
        description: "Charging power, kW; `null` while the vehicle does not charge, or if not known.",
      }),
      chargeTimeRemaining: z.number().nullable().meta({
        description:
          "Time until `chargeLimit` is reached, minutes; `null` while the vehicle does not charge, or if not known.",
      }),
      maxCurrent: z.number().nullable().meta({
        description: "Highest current that the vehicle draws, A per phase; `null` if not known.",
      }),
      powerDeliveryState: VehiclePowerDeliveryState.meta({
        description: `${POWER_DELIVERY_STATE} \`PLUGGED_IN:COMPLETE\`: \`chargeLimit\` is reached.`,
      }),
      pluggedInChargerId: z.string().nullable().optional().meta({
        description:
          "Charger that the vehicle is plugged into, as far as the gateway could find out; `null` if there is none; absent if not known.",
      }),
      lastUpdated: LastUpdated,
    }),
    smartChargingPolicy: VehicleSmartChargingPolicy,
    location: AssetLocation,
    odometer: z.object({
      distance: z.number().nullable().meta({ description: "Distance driven in total, km; `null` if not known." }),
      lastUpdated: LastUpdated,
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

/** Returns a vehicle before its first reading. */
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

/**
 * Returns the vehicle after a poll, with W and Wh converted to kW and kWh, positive into the vehicle; the same object if
 * the poll read nothing of it.
 */
export function foldVehicle(vehicle: Vehicle, snapshot: Snapshot, nowMs: number): Vehicle {
  const { values } = snapshot;
  let { chargeState, odometer } = vehicle;
  if (isFresh(snapshot, CHARGE_STATE_POINTS)) chargeState = foldChargeState(chargeState, snapshot, nowMs);
  if (isFresh(snapshot, ["vehicle.odometer"])) {
    odometer = patch(odometer, {
      distance: threeDecimalsOrNull(values["vehicle.odometer"] ?? null),
      lastUpdated: instant(nowMs),
    });
  }
  const location = foldLocation("vehicle", vehicle, snapshot, nowMs);
  return patch(vehicle, { chargeState, odometer, location });
}

type ChargeState = Vehicle["chargeState"];

function foldChargeState(before: ChargeState, { values }: Snapshot, nowMs: number): ChargeState {
  const state = values["vehicle.state"] ?? "UNKNOWN";
  const isKnown = state !== "UNKNOWN";
  const isCharging = state === "PLUGGED_IN:CHARGING";
  return patch(before, {
    batteryLevel: threeDecimalsOrNull(values["vehicle.soc"] ?? null),
    range: threeDecimalsOrNull(values["vehicle.range"] ?? null),
    isPluggedIn: isKnown ? state !== "UNPLUGGED" : null,
    isCharging: isKnown ? isCharging : null,
    isFullyCharged: isKnown ? isFull(values) : null,
    batteryCapacity: kiloOrNull(values["vehicle.capacity"] ?? null),
    chargeLimit: threeDecimalsOrNull(values["vehicle.chargeLimit"] ?? null),
    chargeRate: isCharging ? kiloOrNull(values["vehicle.power"] ?? null) : null,
    chargeTimeRemaining: isCharging ? threeDecimalsOrNull(values["vehicle.timeToFull"] ?? null) : null,
    maxCurrent: threeDecimalsOrNull(values["vehicle.maxCurrent"] ?? null),
    powerDeliveryState: state,
    lastUpdated: instant(nowMs),
  });
}

/** Returns true if the vehicle reports that it is full, or if its state of charge has reached its limit. */
function isFull(values: Snapshot["values"]): boolean {
  if (values["vehicle.state"] === "PLUGGED_IN:COMPLETE") return true;
  const soc = values["vehicle.soc"] ?? null;
  return soc !== null && soc >= (values["vehicle.chargeLimit"] ?? 100);
}
