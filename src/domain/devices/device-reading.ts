/** The readings of a device as the API shows them. */
import { z } from "zod";
import { POINT_UNITS, type PointName, type PointValue } from "../../points/points.ts";
import { Instant, instant } from "../fields.ts";

const Value = z.union([z.number(), z.string(), z.boolean()]);

export const DeviceReading = z
  .object({
    point: z.string().meta({ description: "What is read, such as `grid.voltage.l1`." }),
    value: Value.nullable().meta({ description: "`null` if the device cannot say." }),
    unit: z.string().meta({ description: "Unit of the value; empty for a state." }),
    at: Instant.meta({ description: "When it was read." }),
  })
  .meta({ id: "DeviceReading" });

export const ForeignValue = z
  .object({
    point: z.string(),
    expected: Value.meta({ description: "What the gateway had set." }),
    found: Value.meta({ description: "What was read instead." }),
    at: Instant.meta({ description: "When it was noticed." }),
  })
  .meta({ id: "ForeignValue" });

interface Latest {
  readonly point: PointName;
  readonly value: PointValue | null;
  /** Wall-clock ms. */
  readonly atMs: number;
}

/** By name of the point. */
export function readingViews(points: readonly Latest[]): z.infer<typeof DeviceReading>[] {
  return points
    .map(({ point, value, atMs }) => ({ point, value, unit: POINT_UNITS[point], at: instant(atMs) }))
    .toSorted((one, other) => one.point.localeCompare(other.point));
}
