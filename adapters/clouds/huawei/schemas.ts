/** Answers of FusionSolar's northbound interface, with the parts that are used. */
import { z } from "hemgate/sdk";
import { maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

/** Stands in every answer; 0 in those that are right. */
export const Outcome = z.object({ failCode: z.coerce.number() });

const Station = z.object({ plantCode: z.string().min(1), plantName: maybeText });
export type Station = z.infer<typeof Station>;
export const Stations = z.object({ data: z.object({ list: listOf(Station) }) });

/** As the interface before `stations` writes them. */
export const OldStation = z.object({ stationCode: z.string().min(1), stationName: maybeText });
export const List = z.object({ data: z.array(z.unknown()) });

/** Written as a number by some portals, as a text by others. */
const Id = z.union([z.string().min(1), z.number()]).transform(String);

export const Device = z.object({
  id: Id,
  stationCode: z.string(),
  devTypeId: z.number(),
  esnCode: maybeText,
  /** The model of an inverter. */
  invType: maybeText,
  softwareVersion: maybeText,
});
export type Device = z.infer<typeof Device>;

/** The values of a device; names and units differ by its type. */
const DeviceFields = z.record(z.string(), z.unknown());
export type DeviceFields = z.infer<typeof DeviceFields>;
export const DeviceKpi = z.object({ devId: Id, dataItemMap: DeviceFields });
