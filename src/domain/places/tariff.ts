import { z } from "zod";
import { HourMinute } from "../hour-minute.ts";
import { CostText } from "../money.ts";

/** How tariffs are named by clients (rule S5.3). */
export const TariffId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,36}$/, { error: "Expected 1 to 36 letters, digits, _ or -" })
  .meta({ description: "1 to 36 letters, digits, `_` or `-`, chosen by the client." });

const RateName = z.string().min(1).max(255);

/** A rate: its name, and what a kWh costs in it, in units of the configured currency, as a decimal number in text. */
export const TariffRate = z
  .strictObject({ name: RateName.meta({ description: "Once in the tariff." }), cost: CostText })
  .meta({ id: "TariffRate" });
export type TariffRate = z.infer<typeof TariffRate>;

/** The rates of a tariff; each name once (rule I2.14). */
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
    const message = `The name is that of rate ${before} already; each name is once in a tariff`;
    context.addIssue({ code: "custom", path: [index, "name"], message });
  }
}

/** Which hours of a location a rate is for: wall-clock time there, `from` inclusive, `to` exclusive (rule S5.3). */
export const TariffInterval = z
  .strictObject({
    name: RateName.meta({ description: "Of a rate of the tariff." }),
    from: HourMinute.meta({ description: "HH:MM in the location's time zone, inclusive." }),
    to: HourMinute.meta({ description: "HH:MM, exclusive, after `from`; 24:00 closes the day." }),
    weekdays: z
      .array(z.int().min(0).max(6))
      .min(1)
      .optional()
      .meta({ description: "0 is Monday, 6 is Sunday; absent: all days." }),
  })
  .superRefine(({ from, to }, context) => {
    // Same width and digits: the order of the text is the order of the times.
    if (from < to) return;
    const message = `${to} is not after ${from}; use two intervals for a time that crosses midnight`;
    context.addIssue({ code: "custom", path: ["to"], message });
  })
  .meta({ id: "TariffInterval" });
export type TariffInterval = z.infer<typeof TariffInterval>;

/** The body that gives a location its tariff. */
export const TariffLink = z
  .strictObject({ tariffId: TariffId, tariffIntervals: z.array(TariffInterval) })
  .meta({ id: "TariffLink" });
export type TariffLink = z.infer<typeof TariffLink>;

/** An entry of a location's tariff as it is read back: UTC (rule I2.14). */
export const TariffEntry = z
  .object({
    weekday: z.int().min(0).max(6).optional().meta({ description: "0 is Monday; absent: the whole week. UTC." }),
    fromHourMinute: z.string().meta({ description: "HH:MM in UTC, inclusive." }),
    toHourMinute: z.string().meta({ description: "HH:MM in UTC, exclusive; 24:00 closes the day." }),
    tariffId: z.string(),
    tariffName: z.string().meta({ description: "The rate's name." }),
  })
  .meta({ id: "TariffEntry" });
export type TariffEntry = z.infer<typeof TariffEntry>;
