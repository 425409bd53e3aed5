import { z } from "zod";

/** A rate: its name, and what a kWh costs in it, in units of the configured currency, as a decimal number in text. */
export const TariffRate = z.object({ name: z.string(), cost: z.string() }).meta({ id: "TariffRate" });
export type TariffRate = z.infer<typeof TariffRate>;

/** The rates of a tariff; each name once (interface 2.14). */
export const Tariff = z.array(TariffRate).meta({ id: "Tariff" });
export type Tariff = z.infer<typeof Tariff>;

/** Which hours of a location a rate is for: wall-clock time there, `from` inclusive, `to` exclusive (supplement 5.3). */
export const TariffInterval = z.object({
  name: z.string(),
  from: z.string().meta({ description: "HH:MM." }),
  to: z.string().meta({ description: "HH:MM; 24:00 closes the day." }),
  weekdays: z.array(z.int().min(0).max(6)).optional().meta({ description: "0 is Monday; absent: all days." }),
});
export type TariffInterval = z.infer<typeof TariffInterval>;

export const TariffLink = z.object({ tariffId: z.string(), tariffIntervals: z.array(TariffInterval) });
export type TariffLink = z.infer<typeof TariffLink>;

/** An entry of a location's tariff as it is read back: UTC (interface 2.14). */
export const TariffEntry = z
  .object({
    weekday: z.int().min(0).max(6).optional().meta({ description: "0 is Monday; absent: the whole week." }),
    fromHourMinute: z.string(),
    toHourMinute: z.string(),
    tariffId: z.string(),
    tariffName: z.string(),
  })
  .meta({ id: "TariffEntry" });
export type TariffEntry = z.infer<typeof TariffEntry>;
