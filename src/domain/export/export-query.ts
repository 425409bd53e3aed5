/** The query of an export: what is exported, of which time, in which format. */
import { Temporal } from "temporal-polyfill";
import { z } from "zod";
import { isTimeZone } from "../places/location.ts";
import { startOfDay } from "../statistics/statistics-calendar.ts";

export const ExportResolution = z.enum(["RAW", "MINUTE", "QUARTER_HOUR", "HOUR", "DAY", "MONTH"]);
export type ExportResolution = z.infer<typeof ExportResolution>;

const ExportFormat = z.enum(["csv", "parquet"]);
export type ExportFormat = z.infer<typeof ExportFormat>;

const MAX_DEVICES_CHARACTERS = 10_000;
const MOMENT = "such as 2026-03-29 (a day begins at midnight in `timezone`) or 2026-03-29T12:00:00+02:00";

/** A day, or an instant with its offset. */
const Moment = z.union([z.iso.date(), z.iso.datetime({ offset: true })], {
  error: "expected a date such as 2026-03-29, or an instant with its offset such as 2026-03-29T12:00:00+02:00",
});

/** The query as it is asked over the API and by the command line. */
export const ExportQuery = z.object({
  from: Moment.meta({ description: `Start, ${MOMENT}.`, examples: ["2026-03-01"] }),
  to: Moment.optional().meta({
    description: `End, exclusive, ${MOMENT}; default now.`,
    examples: ["2026-04-01"],
  }),
  resolution: ExportResolution.default("HOUR").meta({
    description:
      "`RAW`: each reading as it was taken. Otherwise energy by bucket, from full minutes to months of `timezone`. Kept: raw readings and minutes 400 days, quarter hours three years, the rest ten years.",
  }),
  devices: z
    .string()
    .max(MAX_DEVICES_CHARACTERS)
    .optional()
    .meta({ description: "Ids of devices, separated by commas; default all.", examples: ["meter,battery"] }),
  format: ExportFormat.default("csv"),
  timezone: z
    .string()
    .max(64)
    .refine(isTimeZone, { error: "no such time zone; expected an IANA name such as Europe/Berlin" })
    .optional()
    .meta({
      description: "IANA zone of the times in a CSV file, of days and of months; default that of the house.",
      examples: ["Europe/Berlin"],
    }),
});
export type ExportQuery = z.infer<typeof ExportQuery>;

/** Returns a moment of a query as wall-clock ms. */
export function momentMs(moment: string, zone: string): number {
  return moment.includes("T") ? Temporal.Instant.from(moment).epochMilliseconds : startOfDay(zone, moment);
}

/** Returns the ids of a query's devices without repetitions; `null` for all. */
export function deviceIdsOf({ devices }: Pick<ExportQuery, "devices">): readonly string[] | null {
  if (devices === undefined) return null;
  return [...new Set(devices.split(",").map((id) => id.trim()))].filter((id) => id !== "");
}
