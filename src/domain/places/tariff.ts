import { z } from "zod";
import { HourMinute } from "../hour-minute.ts";
import { CostText } from "../money.ts";

/** The id of a tariff, which the client chooses (rule S5.3). */
export const TariffId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,36}$/, { error: "Expected 1 to 36 letters, digits, _ or -" })
  .meta({ description: "Id of the tariff, chosen by the client: 1 to 36 letters, digits, `_` or `-`." });

const RateName = z.string().min(1).max(255);

/** A rate of a tariff: its name and its price per kWh. */
export const TariffRate = z
  .strictObject({ name: RateName.meta({ description: "Name of the rate, unique in the tariff." }), cost: CostText })
  .meta({ id: "TariffRate" });
export type TariffRate = z.infer<typeof TariffRate>;

/** The rates of a tariff, with unique names (rule I2.14). */
export const Tariff = z
  .array(TariffRate)
  .superRefine(refuseRepeatedNames)
  .meta({ id: "Tariff", description: "The rates of a tariff." });
export type Tariff = z.infer<typeof Tariff>;

function refuseRepeatedNames(rates: readonly TariffRate[], context: z.RefinementCtx): void {
  const first = new Map<string, number>();
  for (const [index, { name }] of rates.entries()) {
    const before = first.get(name);
    if (before === undefined) {
      first.set(name, index);
      continue;
    }
    const message = `Rate ${before} already has this name; names have to be unique in a tariff`;
    context.addIssue({ code: "custom", path: [index, "name"], message });
  }
}

/** The hours of the day in which a rate applies at a location, in local time (rule S5.3). */
export const TariffInterval = z
  .strictObject({
    name: RateName.meta({ description: "Name of a rate of the tariff." }),
    from: HourMinute.meta({ description: "Start, HH:MM in the location's time zone, inclusive." }),
    to: HourMinute.meta({
      description: "End, HH:MM in the location's time zone, exclusive, after `from`; `24:00` is the end of the day.",
    }),
    weekdays: z
      .array(z.int().min(0).max(6))
      .min(1)
      .optional()
      .meta({ description: "Days of the week, 0 is Monday, 6 is Sunday; by default all days." }),
  })
  .superRefine(({ from, to }, context) => {
    // Both texts have the same width, so they compare like the times.
    if (from < to) return;
    const message = `${to} is not after ${from}; split a time that crosses midnight into two intervals`;
    context.addIssue({ code: "custom", path: ["to"], message });
  })
  .meta({ id: "TariffInterval" });
export type TariffInterval = z.infer<typeof TariffInterval>;

/** The body that assigns a tariff to a location. */
export const TariffLink = z
  .strictObject({
    tariffId: TariffId,
    tariffIntervals: z.array(TariffInterval).meta({
      description: "Which rate applies at which hours. Intervals must not overlap; hours without one have no price.",
    }),
  })
  .meta({ id: "TariffLink" });
export type TariffLink = z.infer<typeof TariffLink>;

/** An entry of a location's tariff, in UTC (rule I2.14). */
export const TariffEntry = z
  .object({
    weekday: z.int().min(0).max(6).optional().meta({
      description: "Day of the week in UTC, 0 is Monday; absent if the entry is for all days.",
    }),
    fromHourMinute: z.string().meta({ description: "Start, HH:MM in UTC, inclusive." }),
    toHourMinute: z.string().meta({ description: "End, HH:MM in UTC, exclusive; `24:00` is the end of the day." }),
    tariffId: z.string().meta({ description: "Id of the tariff." }),
    tariffName: z.string().meta({ description: "Name of the rate." }),
  })
  .meta({ id: "TariffEntry" });
export type TariffEntry = z.infer<typeof TariffEntry>;
