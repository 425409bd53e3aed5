import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import {
  ASSET_FIELDS,
  AssetLocation,
  HemSystemId,
  instant,
  LastUpdated,
  LocationId,
  NO_LOCATION,
  STATIONARY_FIELDS,
} from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull } from "../units.ts";
import { foldLocation } from "./asset-location.ts";
import { type AssetSeed, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";

/** A solar inverter (rules I2.5 and S0.8). */
export const Inverter = z
  .object({
    ...ASSET_FIELDS,
    chargingLocationId: LocationId.meta({ deprecated: true, description: "Use `location.id`." }),
    productionState: z.object({
      productionRate: z.number().nullable().meta({
        description: "Power, kW; positive while the inverter produces; `null` if not known.",
      }),
      isProducing: z.boolean().nullable().meta({ description: "`true` above 10 W; `null` if the power is not known." }),
      totalLifetimeProduction: z.number().nullable().meta({
        description: "Energy produced since the installation, kWh; `null` if not known.",
      }),
      lastUpdated: LastUpdated,
    }),
    information: z.object({
      id: z.string().nullable().meta({ description: "Serial number or id at the vendor; `null` if not known." }),
      sn: z.string().nullable().meta({ description: "Serial number; `null` if not known." }),
      ...STATIONARY_FIELDS,
    }),
    capabilities: z.object({ productionState: Capability, productionStatistics: Capability }),
    location: AssetLocation,
    timezone: z.string().nullable().meta({ description: "IANA time zone of the inverter, such as `Europe/Berlin`." }),
    hemSystemId: HemSystemId,
  })
  .meta({ id: "Inverter", description: "A solar inverter." });
export type Inverter = z.infer<typeof Inverter>;

/** An inverter counts as producing above this power, W: at night many report a few watts. */
const PRODUCING_ABOVE_W = 10;

const PRODUCTION_POINTS: readonly PointName[] = ["inverter.power", "inverter.energy"];

/** Returns an inverter before its first reading. */
export function newInverter(seed: AssetSeed): Inverter {
  const { identity, points } = seed.device;
  return {
    ...seedFields("inverter", seed),
    chargingLocationId: null,
    productionState: { productionRate: null, isProducing: null, totalLifetimeProduction: null, lastUpdated: null },
    information: {
      id: identity.serial,
      sn: identity.serial,
      ...seedMake("inverter", seed),
      siteName: seed.siteName,
      installationDate: instant(seed.installedAtMs),
    },
    capabilities: {
      productionState: capability(points.includes("inverter.power")),
      productionStatistics: capability(points.includes("inverter.energy")),
    },
    location: NO_LOCATION,
    timezone: seed.timezone,
    hemSystemId: null,
  };
}

/**
 * Returns the inverter after a poll, with W and Wh converted to kW and kWh, positive while it produces; the same object if
 * the poll read nothing of it.
 */
export function foldInverter(inverter: Inverter, snapshot: Snapshot, nowMs: number): Inverter {
  const location = foldLocation("inverter", inverter, snapshot, nowMs);
  if (!isFresh(snapshot, PRODUCTION_POINTS)) return patch(inverter, { location });
  const power = snapshot.values["inverter.power"] ?? null;
  const productionState = patch(inverter.productionState, {
    productionRate: kiloOrNull(power),
    isProducing: power === null ? null : power > PRODUCING_ABOVE_W,
    totalLifetimeProduction: kiloOrNull(snapshot.values["inverter.energy"] ?? null),
    lastUpdated: instant(nowMs),
  });
  return patch(inverter, { productionState, location });
}
