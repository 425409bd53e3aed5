import { z } from "zod";
import { ASSET_FIELDS, AssetLocation, instant, NO_LOCATION, NullableInstant, STATIONARY_FIELDS } from "../fields.ts";
import { patch } from "../patch.ts";
import { kiloOrNull } from "../units.ts";
import { type AssetSeed, seedFields, seedMake } from "./asset-seed.ts";
import { Capability, capability } from "./capability.ts";
import { isFresh, type Snapshot } from "./snapshot.ts";
import { foldWhereabouts } from "./whereabouts.ts";

/** An energy meter at the grid connection (rules I2.8 and S6.3). */
export const Meter = z
  .object({
    ...ASSET_FIELDS,
    information: z.object({
      ...STATIONARY_FIELDS,
    }),
    energyState: z.object({
      power: z.number().nullable().meta({ description: "kW; positive is import from the grid, negative export." }),
      lastUpdated: NullableInstant,
    }),
    location: AssetLocation,
    capabilities: z.object({ measuresConsumption: Capability, measuresProduction: Capability }),
    hemSystemId: z.uuid().nullable(),
  })
  .meta({ id: "Meter", description: "An energy meter." });
export type Meter = z.infer<typeof Meter>;

/** A meter before its first reading. */
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

/** The meter after a turn: W become kW; positive stays import from the grid. */
export function foldMeter(meter: Meter, snapshot: Snapshot, nowMs: number): Meter {
  const location = foldWhereabouts("meter", meter, snapshot, nowMs);
  if (!isFresh(snapshot, ["meter.power"])) return patch(meter, { location });
  const energyState = patch(meter.energyState, {
    power: kiloOrNull(snapshot.values["meter.power"] ?? null),
    lastUpdated: instant(nowMs),
  });
  return patch(meter, { energyState, location });
}
