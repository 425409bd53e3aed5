/** Answers of Growatt's OpenAPI, with the parts that are used. */
import { z } from "hemgate/sdk";
import { looseNumber } from "../kit/device/loose-number.ts";
import { maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

/** Stands in every answer; 0 in those that are right. */
export const Outcome = z.object({ error_code: z.coerce.number() });

const Id = z.union([z.string().min(1), z.number()]).transform(String);
const Plant = z.object({ plant_id: Id, name: maybeText });
export type Plant = z.infer<typeof Plant>;
export const Plants = z.object({ data: z.object({ plants: listOf(Plant) }) });

const Device = z.object({ device_sn: z.string().min(1), type: z.number(), model: maybeText });
export type Device = z.infer<typeof Device>;
export const Devices = z.object({ data: z.object({ devices: listOf(Device) }) });

const loose = z.unknown().transform(looseNumber);
/** W, and kWh since installation. */
export const Overview = z.object({ data: z.object({ current_power: loose, total_energy: loose }) });

/** The last values of an inverter, and its settings: hundreds of names, whose case differs from one model to another. */
const DeviceFields = z
  .record(z.string(), z.unknown())
  .transform((fields) => new Map(Object.entries(fields).map(([name, value]) => [name.toLowerCase(), value])));
export type DeviceFields = z.infer<typeof DeviceFields>;
export const Answer = z.object({ data: DeviceFields });
