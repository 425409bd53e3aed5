import { z } from "zod";
import { Capability } from "./capability.ts";
import { ASSET_FIELDS, NullableInstant } from "./fields.ts";

/** Plug and power (supplement 2.1). `PLUGGED_IN:COMPLETE` is for vehicles only. */
export const ChargerPowerDeliveryState = z.enum([
  "UNKNOWN",
  "UNPLUGGED",
  "PLUGGED_IN:INITIALIZING",
  "PLUGGED_IN:CHARGING",
  "PLUGGED_IN:STOPPED",
  "PLUGGED_IN:NO_POWER",
  "PLUGGED_IN:FAULT",
  "PLUGGED_IN:DISCHARGING",
]);

/** A charging station (interface 2.6, supplement 0 row 11). */
export const Charger = z
  .object({
    ...ASSET_FIELDS,
    chargingLocationId: z.uuid().nullable().meta({ deprecated: true }),
    locationId: z.uuid().nullable(),
    location: z.object({ id: z.uuid().nullable(), lastUpdated: NullableInstant }),
    chargeState: z.object({
      isPluggedIn: z.boolean().nullable(),
      isCharging: z.boolean().nullable(),
      chargeRate: z.number().nullable().meta({ description: "kW into the vehicle; null unless charging." }),
      maxCurrent: z.number().nullable().meta({ description: "The most the charger offers, ampere per phase." }),
      powerDeliveryState: ChargerPowerDeliveryState,
      lastUpdated: NullableInstant,
    }),
    information: z.object({
      id: z.string().nullable(),
      serialNumber: z.string().nullable(),
      brand: z.string().nullable(),
      model: z.string().nullable(),
      year: z.int().nullable(),
    }),
    capabilities: z.object({
      information: Capability,
      chargeState: Capability,
      startCharging: Capability,
      stopCharging: Capability,
      setMaxCurrent: Capability,
    }),
  })
  .meta({ id: "Charger", description: "A charging station." });
export type Charger = z.infer<typeof Charger>;
