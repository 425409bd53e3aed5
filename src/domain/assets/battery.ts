import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import {
  ASSET_FIELDS,
  AssetLocation,
  HemSystemId,
  instant,
  LastUpdated,
  NO_LOCATION,
  STATIONARY_FIELDS,
} from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull, threeDecimalsOrNull } from "../units.ts";
import { foldLocation } from "./asset-location.ts";
import { type AssetSeed, controlOf, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { isFresh, type PointValues, type Snapshot } from "./snapshot.ts";

/** The operation modes that can be requested, in the order of rule I2.2. */
const REQUESTABLE_MODES = ["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE"] as const;
export const RequestableMode = z.enum(REQUESTABLE_MODES);
export type RequestableMode = z.infer<typeof RequestableMode>;

const BatteryStatus = z.enum(["CHARGING", "DISCHARGING", "IDLE", "FAULT", "UNKNOWN"]);

/** A home battery (rule I2.2). `null`: the device does not report the value. */
export const Battery = z
  .object({
    ...ASSET_FIELDS,
    chargeState: z.object({
      status: BatteryStatus.nullable().meta({
        description: "As the device reports it, else by the sign of `chargeRate`; `null` if neither is known.",
      }),
      batteryCapacity: z.number().nullable().meta({
        description: "Usable energy of the full battery, kWh; `null` if not known.",
      }),
      batteryLevel: z.number().nullable().meta({ description: "State of charge, %; `null` if not known." }),
      chargeRate: z.number().nullable().meta({
        description: "Power, kW; positive while charging, negative while discharging; `null` if not known.",
      }),
      dischargeLimit: z.number().nullable().meta({
        description:
          "State of charge that is kept as a reserve, %: the battery is discharged below it only in an emergency; `null` if not known.",
      }),
      lastUpdated: LastUpdated,
    }),
    config: z.object({
      operationMode: z
        .enum([...REQUESTABLE_MODES, "UNKNOWN"])
        .nullable()
        .meta({
          description:
            "`IMPORT_FOCUS`: charges, also from the grid. `EXPORT_FOCUS`: discharges into the grid. `TIME_OF_USE`: follows the tariff set in the device. `SELF_RELIANCE`: stores surplus solar power for the house. `IDLE`: neither charges nor discharges. `UNKNOWN`: another mode of the device. `null`: the device does not report its mode.",
        }),
      lastUpdated: LastUpdated,
    }),
    information: z.object({
      id: z.string().nullable().meta({ description: "Serial number or id at the vendor; `null` if not known." }),
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
    hemSystemId: HemSystemId,
  })
  .meta({ id: "Battery", description: "A home battery." });
export type Battery = z.infer<typeof Battery>;

/** A battery that reports no status counts as idle below this power in either direction, W. */
const IDLE_BELOW_W = 25;

const CHARGE_STATE_POINTS: readonly PointName[] = [
  "battery.power",
  "battery.soc",
  "battery.capacity",
  "battery.reserve",
  "battery.status",
];

/** Returns a battery before its first reading. */
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

/**
 * Returns the battery after a poll, with W and Wh converted to kW and kWh; the same object if the poll read nothing of it.
 * `nowMs` is wall-clock time.
 */
export function foldBattery(battery: Battery, snapshot: Snapshot, nowMs: number): Battery {
  const { values } = snapshot;
  let { chargeState, config } = battery;
  if (isFresh(snapshot, CHARGE_STATE_POINTS)) {
    chargeState = patch(chargeState, {
      status: batteryStatus(values),
      batteryCapacity: kiloOrNull(values["battery.capacity"] ?? null),
      batteryLevel: threeDecimalsOrNull(values["battery.soc"] ?? null),
      chargeRate: kiloOrNull(values["battery.power"] ?? null),
      dischargeLimit: threeDecimalsOrNull(values["battery.reserve"] ?? null),
      lastUpdated: instant(nowMs),
    });
  }
  if (isFresh(snapshot, ["battery.mode"])) {
    config = patch(config, { operationMode: values["battery.mode"] ?? null, lastUpdated: instant(nowMs) });
  }
  const location = foldLocation("battery", battery, snapshot, nowMs);
  return patch(battery, { chargeState, config, location });
}

/** Returns the reported status, else the one that the power shows; `null` if the device reports neither. */
function batteryStatus(values: Readonly<PointValues>): Battery["chargeState"]["status"] {
  const reported = values["battery.status"] ?? null;
  const power = values["battery.power"] ?? null;
  if (reported !== null || power === null) return reported;
  if (Math.abs(power) < IDLE_BELOW_W) return "IDLE";
  return power > 0 ? "CHARGING" : "DISCHARGING";
}
