import { z } from "zod";
import { Capability } from "./capability.ts";
import { ASSET_FIELDS, AssetLocation, NullableInstant } from "./fields.ts";

/** An energy meter at the grid connection (interface 2.8, supplement 6.3). */
export const Meter = z
  .object({
    ...ASSET_FIELDS,
    information: z.object({
      brand: z.string().nullable(),
      model: z.string().nullable(),
      siteName: z.string().nullable(),
      installationDate: NullableInstant,
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
