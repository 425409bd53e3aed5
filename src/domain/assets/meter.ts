import { z } from "zod";
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
import { kiloOrNull } from "../units.ts";
import { foldLocation } from "./asset-location.ts";
import { type AssetSeed, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";

/** An energy meter at the grid connection (rules I2.8 and S6.3). */
export const Meter = z
  .object({
    ...ASSET_FIELDS,
    information: z.object({
      ...STATIONARY_FIELDS,
    }),
    energyState: z.object({
      power: z.number().nullable().meta({
        description: "Power, kW; positive on import from the grid, negative on export; `null` if not known.",
      }),
      lastUpdated: LastUpdated,
    }),
    location: AssetLocation,
    capabilities: z.object({ measuresConsumption: Capability, measuresProduction: Capability }),
    hemSystemId: HemSystemId,
  })
  .meta({ id: "Meter", description: "An energy meter." });
export type Meter = z.infer<typeof Meter>;

/** Returns a meter before its first reading. */
export function newMeter(seed: AssetSeed): Meter {
  const { points } = seed.device;
  const hasPower = points.includes("meter.power");
  return {
    ...seedFields("meter", seed),
    information: { ...seedMake("meter", seed), siteName: seed.siteName, installationDate: instant(seed.installedAtMs) },
    energyState: { power: null, lastUpdated: null },
    location: NO_LOCATION,
    capabilities: {
      measuresConsumption: capability(hasPower || points.includes("meter.energyImport")),
      measuresProduction: capability(hasPower || points.includes("meter.energyExport")),
    },
    hemSystemId: null,
  };
}

/**
 * Returns the meter after a poll, with W converted to kW, positive on import; the same object if the poll read nothing of
 * it.
 */
export function foldMeter(meter: Meter, snapshot: Snapshot, nowMs: number): Meter {
  const location = foldLocation("meter", meter, snapshot, nowMs);
  if (!isFresh(snapshot, ["meter.power"])) return patch(meter, { location });
  const energyState = patch(meter.energyState, {
    power: kiloOrNull(snapshot.values["meter.power"] ?? null),
    lastUpdated: instant(nowMs),
  });
  return patch(meter, { energyState, location });
}
