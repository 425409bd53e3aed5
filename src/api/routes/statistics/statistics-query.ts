/** The queries of the statistics (rules I4.11 and S8). */
import { z } from "zod";
import { HOUR_MS } from "../../../domain/duration.ts";
import { ConsumerKind, StatisticsResolution, VendorResolution } from "../../../domain/statistics/statistics.ts";

/** No place on earth is further from UTC; a day covers them all. */
const MAX_OFFSET_HOURS = 24;

/** An instant with any offset, as wall-clock ms. */
const InstantMs = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));

const UtcOffset = z
  .preprocess(
    (text) => (typeof text === "string" && /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : text),
    z.number({ error: "Expected a number of hours" }).min(-MAX_OFFSET_HOURS).max(MAX_OFFSET_HOURS).default(0),
  )
  .meta({
    deprecated: true,
    description:
      "Hours ahead of UTC of the clock that days and longer buckets follow; absent: UTC. Not for shorter ones.",
  });

const TIME = {
  startDate: InstantMs.meta({ description: "From this instant, inclusive." }),
  endDate: InstantMs.optional().meta({ description: "To this instant, exclusive; absent: now." }),
};

const WHOSE = {
  ...TIME,
  locationId: z.string().optional().meta({ format: "uuid", description: "Only assets that are at this location." }),
  id: z.string().optional().meta({ description: "Only this asset; it must be of the kind that `type` names." }),
};

const BUCKETS = { resolution: StatisticsResolution.default("DAY"), utcOffset: UtcOffset };

export const ChargingQuery = z.object({ ...WHOSE, type: ConsumerKind, ...BUCKETS });
export const SessionsQuery = z.object({ ...WHOSE, type: ConsumerKind });
export const ProductionQuery = z.object({ ...WHOSE, type: z.literal("inverter").default("inverter"), ...BUCKETS });

export const VendorStatisticsQuery = z.object({
  resolution: VendorResolution,
  startDate: TIME.startDate.meta({ description: "UTC; the start of an hour." }),
  endDate: TIME.endDate,
});
export const UserVendorStatisticsQuery = VendorStatisticsQuery.extend({
  inverterId: z.string().meta({ format: "uuid" }),
});

/** A whole number in a query. */
function whole(min: number, max: number) {
  return z.preprocess(
    (text) => (typeof text === "string" && /^\d{1,4}$/.test(text) ? Number(text) : text),
    z.int({ error: "Expected a whole number" }).min(min).max(max),
  );
}

export const InverterStatisticsQuery = z.object({
  year: whole(1969, 2999),
  month: whole(1, 12),
  day: whole(1, 31).optional().meta({ description: "Absent: the month, by day." }),
});

/** Whose energy is asked for, and when. */
export function askedOf(userId: string, query: z.infer<typeof SessionsQuery> | z.infer<typeof ProductionQuery>) {
  const { startDate, endDate, locationId, id } = query;
  return { userId, assetId: id, locationId, fromMs: startDate, toMs: endDate };
}

/** The buckets that are asked for. */
export function bucketsOf({ resolution, utcOffset }: Pick<z.infer<typeof ChargingQuery>, "resolution" | "utcOffset">) {
  return { resolution, offsetMs: utcOffset * HOUR_MS };
}
