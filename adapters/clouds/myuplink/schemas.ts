/** Answers of myUplink's API, as its documentation and two libraries have them (astrandb/myuplink, pajzo/myuplink). */
import { z } from "hemgate/sdk";
import { maybeFlag, maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

export const Device = z.object({
  id: z.string().min(1),
  connectionState: maybeText,
  currentFwVersion: maybeText,
  product: z.object({ serialNumber: maybeText, name: maybeText }).nullable().catch(null),
});
export type Device = z.infer<typeof Device>;

const System = z.object({ name: maybeText, devices: listOf(Device) });

export const Systems = z.object({ systems: listOf(System) });

/** A quantity; what it means follows from its id, and from categories that all models have in common. */
export const Point = z.object({
  parameterId: z.string(),
  parameterUnit: maybeText,
  writable: maybeFlag,
  timestamp: maybeText,
  /** Scaled already. */
  value: maybeNumber,
  minValue: maybeNumber,
  maxValue: maybeNumber,
  scaleValue: z.coerce.number().positive().catch(1),
  smartHomeCategories: z.array(z.string()).catch([]),
});
export type Point = z.infer<typeof Point>;

export const Points = listOf(Point);
