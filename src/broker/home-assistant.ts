/**
 * Announcements for Home Assistant's MQTT discovery, one device message an asset
 * (https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload).
 */
import type { Asset, AssetKind, AssetTypes } from "../domain/assets/asset.ts";
import { UNKNOWN_MODEL } from "../domain/assets/asset-seed.ts";
import type { Battery } from "../domain/assets/battery.ts";
import type { Charger } from "../domain/assets/charger.ts";
import type { Vehicle } from "../domain/assets/vehicle.ts";
import type { HemSystem } from "../domain/hem/hem-system.ts";
import { climate } from "./home-assistant-climate.ts";
import {
  energyDeviceParts,
  energyHeatParts,
  energyLoadPower,
  energySiteParts,
  energyTopic,
} from "./home-assistant-energy.ts";
import {
  type Components,
  choice,
  counter,
  flag,
  measure,
  number,
  power,
  state,
  switchOf,
} from "./home-assistant-parts.ts";
import { STATUS_TOPIC } from "./own-status.ts";
import { ENERGY_SITE } from "./reserved-topics.ts";

/** Amperes that a charger or vehicle may be set to; what it takes itself is checked with the command. */
const CURRENT_A = { min: 1, max: 80, step: 1, unit: "A", deviceClass: "current" } as const;

type OfKind = { readonly [Kind in AssetKind]: (asset: AssetTypes[Kind], topic: string) => Components };

const COMPONENTS: OfKind = {
  battery: batteryParts,
  charger: (charger, topic) => ({
    power: power("Power", "0 if value_json.chargeState.isCharging == false else value_json.chargeState.chargeRate"),
    ...chargeParts("charger", charger, topic),
  }),
  hvac: climate,
  inverter: () => ({
    power: power("Power", "value_json.productionState.productionRate"),
    energy: counter("Energy produced", "value_json.productionState.totalLifetimeProduction"),
  }),
  meter: () => ({ power: power("Power", "value_json.energyState.power") }),
  vehicle: vehicleParts,
};

/**
 * What announces an asset. Null only in a state is shown as unknown. `canHeat`: the energy manager can have a mode for the
 * HVAC unit.
 */
export function announcementOfAsset(kind: AssetKind, asset: Asset, canHeat = false): object {
  const topic = `hemgate/${kind}/${asset.id}`;
  const { information } = asset;
  const serial = "sn" in information ? information.sn : "serialNumber" in information ? information.serialNumber : null;
  const device = {
    name: nameOf(kind, information),
    manufacturer: information.brand,
    model: modelOf(information),
    serial_number: serial,
  };
  const isReachable = "{{ 'offline' if value_json.isReachable == false else 'online' }}";
  return {
    ...announcement(asset.id, topic, device, {
      ...componentsOf(kind, asset, topic),
      ...(canHeat ? energyHeatParts(asset.id) : {}),
    }),
    availability: [{ topic: STATUS_TOPIC }, { topic, value_template: isReachable }],
    availability_mode: "all",
  };
}

/** What announces the energy of a house, which Home Assistant's energy dashboard takes. */
export function announcementOfHem(system: HemSystem): object {
  const topic = `hemgate/hem/${system.id}`;
  const today = "value_json.status.energy.today";
  const parts: Components = {
    generation: counter("Energy produced today", `${today}.generation`),
    consumption: counter("Energy consumed today", `${today}.consumption`),
    import: counter("Energy imported today", `${today}.import`),
    export: counter("Energy exported today", `${today}.export`),
    charge: counter("Energy into batteries today", `${today}.charge`),
    discharge: counter("Energy out of batteries today", `${today}.discharge`),
  };
  const { name, vendor } = system.information;
  const device = { name, manufacturer: vendor };
  return { ...announcement(system.id, topic, device, parts), availability: [{ topic: STATUS_TOPIC }] };
}

/** The id of the device that the energy manager is in announcements. */
export const ENERGY_DEVICE = "energy";

/** What announces the energy manager: the flows and limits of the house, and what its battery may do if it can be commanded. */
export function announcementOfEnergy(hasBattery: boolean): object {
  const device = { name: "Energy manager" };
  const parts = energySiteParts(hasBattery);
  const topic = energyTopic(ENERGY_SITE);
  return { ...announcement(ENERGY_DEVICE, topic, device, parts), availability: [{ topic: STATUS_TOPIC }] };
}

function announcement(
  id: string,
  topic: string,
  device: Readonly<Record<string, string | null>>,
  components: Components,
): object {
  const known = Object.fromEntries(Object.entries(device).filter(([, value]) => value !== null));
  const parts = Object.entries(components).map(([key, part]) => [key, { ...part, unique_id: `hemgate_${id}_${key}` }]);
  return {
    dev: { identifiers: [`hemgate_${id}`], ...known },
    o: { name: "hemgate" },
    cmps: Object.fromEntries(parts),
    state_topic: topic,
    qos: 1,
  };
}

function componentsOf(kind: AssetKind, asset: Asset, topic: string): Components {
  // The kind says which record the asset is; the compiler cannot follow that over a union.
  const parts = COMPONENTS[kind] as (asset: Asset, topic: string) => Components;
  return parts(asset, topic);
}

/** What people call an asset. */
export function nameOf(kind: AssetKind, information: Asset["information"]): string {
  if ("displayName" in information) return information.displayName;
  if ("siteName" in information) return information.siteName;
  return [information.brand, modelOf(information) ?? kind].join(" ");
}

/** Null: the device does not report it. */
function modelOf({ model }: Asset["information"]): string | null {
  return model === UNKNOWN_MODEL ? null : model;
}

function batteryParts({ capabilities }: Battery, topic: string): Components {
  const modes = [
    ...(capabilities.importFocus.isCapable ? ["IMPORT_FOCUS"] : []),
    ...(capabilities.exportFocus.isCapable ? ["EXPORT_FOCUS"] : []),
    ...(capabilities.timeOfUse.isCapable ? ["TIME_OF_USE"] : []),
    ...(capabilities.selfReliance.isCapable ? ["SELF_RELIANCE"] : []),
    ...(capabilities.idle.isCapable ? ["IDLE"] : []),
  ];
  const mode = "value_json.config.operationMode";
  return {
    level: measure("Level", "value_json.chargeState.batteryLevel", "battery", "%"),
    power: power("Power", "value_json.chargeState.chargeRate"),
    capacity: measure("Capacity", "value_json.chargeState.batteryCapacity", "energy_storage", "kWh"),
    reserve: measure("Reserve", "value_json.chargeState.dischargeLimit", null, "%"),
    status: state("Status", "value_json.chargeState.status", ["CHARGING", "DISCHARGING", "IDLE", "FAULT", "UNKNOWN"]),
    ...(modes.length === 0 ? {} : { mode: choice("Mode", mode, modes, `${topic}/operationMode/set`) }),
  };
}

function vehicleParts(vehicle: Vehicle, topic: string): Components {
  return {
    level: measure("Level", "value_json.chargeState.batteryLevel", "battery", "%"),
    range: measure("Range", "value_json.chargeState.range", "distance", "km"),
    limit: measure("Charge limit", "value_json.chargeState.chargeLimit", null, "%"),
    odometer: {
      ...measure("Odometer", "value_json.odometer.distance", "distance", "km"),
      state_class: "total_increasing",
    },
    power: power(
      "Charging power",
      "0 if value_json.chargeState.isCharging == false else value_json.chargeState.chargeRate",
    ),
    ...chargeParts("vehicle", vehicle, topic),
  };
}

/** True for a charger or vehicle that the energy manager can have a mode for. */
export function takesMode({ capabilities }: Pick<Asset, "capabilities">): boolean {
  const can = (name: "startCharging" | "stopCharging" | "setMaxCurrent"): boolean =>
    (capabilities as Partial<Charger["capabilities"]>)[name]?.isCapable === true;
  return (can("startCharging") && can("stopCharging")) || can("setMaxCurrent");
}

function chargeParts(
  kind: "charger" | "vehicle",
  { id, capabilities }: Pick<Charger | Vehicle, "id" | "capabilities">,
  topic: string,
): Components {
  const { startCharging, stopCharging, setMaxCurrent } = capabilities;
  const current = "value_json.chargeState.maxCurrent";
  const isCharging = "value_json.chargeState.isCharging";
  const canSwitch = startCharging.isCapable && stopCharging.isCapable;
  return {
    plug: flag("Plugged in", "value_json.chargeState.isPluggedIn", "plug"),
    charging: flag("Charging", isCharging, "battery_charging"),
    state: state("State", "value_json.chargeState.powerDeliveryState", null),
    ...(canSwitch ? { charge: switchOf("Charge", isCharging, `${topic}/charging/set`, ["START", "STOP"]) } : {}),
    ...(setMaxCurrent.isCapable
      ? { maxCurrent: number("Maximum current", current, `${topic}/maxCurrent/set`, CURRENT_A) }
      : { maxCurrent: measure("Maximum current", current, "current", "A") }),
    ...(takesMode({ capabilities }) ? energyDeviceParts(id, kind) : {}),
    // A plug is only switched.
    ...(canSwitch && !setMaxCurrent.isCapable && kind === "charger" ? energyLoadPower(id) : {}),
  };
}
