import { z } from "zod";
import { Capability } from "./capability.ts";
import { ASSET_FIELDS, AssetLocation, NullableInstant } from "./fields.ts";

/** A solar inverter (interface 2.5, supplement 0 row 8). */
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
      brand: z.string().nullable(),
      model: z.string().nullable(),
      siteName: z.string().nullable(),
      installationDate: NullableInstant,
    }),
    capabilities: z.object({ productionState: Capability, productionStatistics: Capability }),
    location: AssetLocation,
    timezone: z.string().nullable().meta({ description: "IANA time zone." }),
    hemSystemId: z.uuid().nullable(),
  })
  .meta({ id: "Inverter", description: "A solar inverter." });
export type Inverter = z.infer<typeof Inverter>;
