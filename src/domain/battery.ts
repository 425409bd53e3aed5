import { z } from "zod";
import { Capability } from "./capability.ts";
import { ASSET_FIELDS, AssetLocation, NullableInstant } from "./fields.ts";

/** The modes that can be requested, in the interface's order (2.2). */
export const REQUESTABLE_MODES = ["IMPORT_FOCUS", "EXPORT_FOCUS", "TIME_OF_USE", "SELF_RELIANCE", "IDLE"] as const;
export const RequestableMode = z.enum(REQUESTABLE_MODES);
export type RequestableMode = z.infer<typeof RequestableMode>;

export const BatteryStatus = z.enum(["CHARGING", "DISCHARGING", "IDLE", "FAULT", "UNKNOWN"]);

/** A home battery (interface 2.2). Null: the service cannot determine the value. */
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
      brand: z.string().nullable(),
      model: z.string().nullable(),
      siteName: z.string().nullable(),
      installationDate: NullableInstant,
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
