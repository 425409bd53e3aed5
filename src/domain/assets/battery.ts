import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import { ASSET_FIELDS, AssetLocation, instant, NO_LOCATION, NullableInstant, STATIONARY_FIELDS } from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull, tidyOrNull } from "../units.ts";
import { type AssetSeed, controlOf, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { isFresh, type PointValues, type Snapshot } from "./snapshot.ts";
import { foldWhereabouts } from "./whereabouts.ts";

/** The modes that can be requested, in the order of rule I2.2. */
const REQUESTABLE_MODES = ["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE"] as const;
export const RequestableMode = z.enum(REQUESTABLE_MODES);
export type RequestableMode = z.infer<typeof RequestableMode>;

const BatteryStatus = z.enum(["CHARGING", "DISCHARGING", "IDLE", "FAULT", "UNKNOWN"]);

/** A home battery (rule I2.2). Null: the service cannot determine the value. */
export const Battery = z
  .object({
    ...ASSET_FIELDS,
    chargeState: z.object({
      status: BatteryStatus.nullable(),
      batteryCapacity: z.number().nullable().meta({ description: "Usable energy when full, kWh." }),
      batteryLevel: z.number().nullable().meta({ description: "State of charge, percent." }),
      chargeRate: z.number().nullable().meta({ description: "Power, kW; positive means charging." }),
      dischargeLimit: z
        .number()
        .nullable()
        .meta({ description: "Reserve level, percent; not discharged below it but in an emergency." }),
      lastUpdated: NullableInstant,
    }),
    config: z.object({
      operationMode: z.enum([...REQUESTABLE_MODES, "UNKNOWN"]).nullable(),
      lastUpdated: NullableInstant,
    }),
    information: z.object({
      id: z.string().nullable().meta({ description: "The vendor's id of the device." }),
      ...STATIONARY_FIELDS,
    }),
    capabilities: z.object({
      exportFocus: Capability,
      importFocus: Capability,
      timeOfUse: Capability,
      selfReliance: Capability,
      idle: Capability,
    }),
    location: AssetLocation,
    hemSystemId: z.uuid().nullable(),
  })
  .meta({ id: "Battery", description: "A home battery." });
export type Battery = z.infer<typeof Battery>;

/** Below this many watts, either way, a battery that reports no status counts as idle. */
const IDLE_BELOW_W = 25;

const CHARGE_STATE_POINTS: readonly PointName[] = [
  "battery.power",
  "battery.soc",
  "battery.capacity",
  "battery.reserve",
  "battery.status",
];

/** A battery before its first reading. */
export function newBattery(seed: AssetSeed): Battery {
  const modes = controlOf(seed.device, "battery.mode")?.values ?? [];
  return {
    ...seedFields("battery", seed),
    chargeState: {
      status: null,
      batteryCapacity: null,
      batteryLevel: null,
      chargeRate: null,
      dischargeLimit: null,
      lastUpdated: null,
    },
    config: { operationMode: null, lastUpdated: null },
    information: {
      id: seed.device.identity.serial,
      ...seedMake("battery", seed),
      siteName: seed.siteName,
      installationDate: instant(seed.installedAtMs),
    },
    capabilities: {
      exportFocus: capability(modes.includes("EXPORT_FOCUS")),
      importFocus: capability(modes.includes("IMPORT_FOCUS")),
      timeOfUse: capability(modes.includes("TIME_OF_USE")),
      selfReliance: capability(modes.includes("SELF_RELIANCE")),
      idle: capability(modes.includes("IDLE")),
    },
    location: NO_LOCATION,
    hemSystemId: null,
  };
}

/** The battery after a turn: points in W, Wh and % become kW, kWh and %. The same object when nothing was read of it. */
export function foldBattery(battery: Battery, snapshot: Snapshot, nowMs: number): Battery {
  const { values } = snapshot;
  let { chargeState, config } = battery;
  if (isFresh(snapshot, CHARGE_STATE_POINTS)) {
    chargeState = patch(chargeState, {
      status: batteryStatus(values),
      batteryCapacity: kiloOrNull(values["battery.capacity"] ?? null),
      batteryLevel: tidyOrNull(values["battery.soc"] ?? null),
      chargeRate: kiloOrNull(values["battery.power"] ?? null),
      dischargeLimit: tidyOrNull(values["battery.reserve"] ?? null),
      lastUpdated: instant(nowMs),
    });
  }
  if (isFresh(snapshot, ["battery.mode"])) {
    config = patch(config, { operationMode: values["battery.mode"] ?? null, lastUpdated: instant(nowMs) });
  }
  const location = foldWhereabouts("battery", battery, snapshot, nowMs);
  return patch(battery, { chargeState, config, location });
}

/** What the device says, else what its power shows; null when it tells neither. */
function batteryStatus(values: Readonly<PointValues>): Battery["chargeState"]["status"] {
  const told = values["battery.status"] ?? null;
  const power = values["battery.power"] ?? null;
  if (told !== null || power === null) return told;
  if (Math.abs(power) < IDLE_BELOW_W) return "IDLE";
  return power > 0 ? "CHARGING" : "DISCHARGING";
}
