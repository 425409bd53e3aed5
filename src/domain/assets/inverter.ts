import { z } from "zod";
import type { PointName } from "../../points/points.ts";
import { ASSET_FIELDS, AssetLocation, instant, NO_LOCATION, NullableInstant, STATIONARY_FIELDS } from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull } from "../units.ts";
import { type AssetSeed, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";
import { foldWhereabouts } from "./whereabouts.ts";

/** A solar inverter (rules I2.5 and S0.8). */
export const Inverter = z
  .object({
    ...ASSET_FIELDS,
    chargingLocationId: z.uuid().nullable().meta({ deprecated: true }),
    productionState: z.object({
      productionRate: z.number().nullable().meta({ description: "Power produced, kW." }),
      isProducing: z.boolean().nullable(),
      totalLifetimeProduction: z.number().nullable().meta({ description: "Energy since installation, kWh." }),
      lastUpdated: NullableInstant,
    }),
    information: z.object({
      id: z.string().nullable(),
      sn: z.string().nullable().meta({ description: "Serial number." }),
      ...STATIONARY_FIELDS,
    }),
    capabilities: z.object({ productionState: Capability, productionStatistics: Capability }),
    location: AssetLocation,
    timezone: z.string().nullable().meta({ description: "IANA time zone." }),
    hemSystemId: z.uuid().nullable(),
  })
  .meta({ id: "Inverter", description: "A solar inverter." });
export type Inverter = z.infer<typeof Inverter>;

/** Above this many watts an inverter counts as producing; at night many report a few watts of noise. */
const PRODUCING_ABOVE_W = 10;

const PRODUCTION_POINTS: readonly PointName[] = ["inverter.power", "inverter.energy"];

/** An inverter before its first reading. */
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

/** The inverter after a turn: W and Wh become kW and kWh; positive stays production. */
export function foldInverter(inverter: Inverter, snapshot: Snapshot, nowMs: number): Inverter {
  const location = foldWhereabouts("inverter", inverter, snapshot, nowMs);
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
