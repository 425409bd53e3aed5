/** Statistics as the API shows them (rules I2.15, I4.11 and S8). */
import { z } from "zod";
import { Instant } from "../fields.ts";

export const StatisticsResolution = z.enum(["QUARTER_HOUR", "HALF_HOUR", "HOUR", "DAY", "WEEK", "MONTH", "YEAR"]);
export type StatisticsResolution = z.infer<typeof StatisticsResolution>;

/** The kinds of asset that consume, as the charging statistics name them. */
export const ConsumerKind = z.enum(["charger", "vehicle", "hvac"]);
export type ConsumerKind = z.infer<typeof ConsumerKind>;

const Kilowatts = z
  .object({
    min: z.number().meta({ description: "kW." }),
    max: z.number().meta({ description: "kW." }),
    mean: z.number().meta({ description: "kW." }),
  })
  .meta({ description: "Power while there was any." });

const Price = z
  .object({
    min: z.number().meta({ description: "Currency units per kWh." }),
    max: z.number().meta({ description: "Currency units per kWh." }),
    mean: z.number().meta({ description: "Currency units per kWh, weighted by energy." }),
  })
  .meta({ description: "What a kWh cost when it flowed; all 0 when `kwhPriced` is 0. May be negative." });

const NonSmartPrice = z
  .object({
    min: z.number().nullable().meta({ description: "Currency units per kWh." }),
    max: z.number().nullable().meta({ description: "Currency units per kWh." }),
    mean: z.number().nullable().meta({ description: "Currency units per kWh, weighted by energy." }),
  })
  .meta({ description: "The price had smart charging moved nothing; null when it did not." });

const KwhSum = z.number().meta({ description: "Energy, kWh." });
const CostSum = z
  .number()
  .meta({ description: "Currency units, for the `kwhPriced` whose price is known. May be negative." });
const IS_COST_KNOWN = {
  isCostKnown: z.boolean().meta({
    description:
      "True: the price of all of the energy is known. False: `price` and the sum of money are of `kwhPriced` only, and say nothing when that is 0.",
  }),
  kwhPriced: z.number().meta({ description: "The part of `kwhSum` whose price is known, kWh." }),
} as const;
const EstimatedSavings = z.number().nullable().meta({
  description:
    "Currency units that smart charging saved; null when it moved nothing, or no price is known of what it moved.",
});

/** What was charged or consumed in a bucket of time. */
export const ChargingStatistics = z
  .object({
    kw: Kilowatts,
    kwhSum: KwhSum,
    price: Price,
    costSum: CostSum,
    nonSmartPrice: NonSmartPrice,
    estimatedSavings: EstimatedSavings,
    ...IS_COST_KNOWN,
    date: Instant.meta({ description: "Start of the bucket." }),
  })
  .meta({ id: "ChargingStatistics" });
export type ChargingStatistics = z.infer<typeof ChargingStatistics>;

/** A run of consumption. */
export const ChargingSession = z
  .object({
    kw: Kilowatts,
    kwhSum: KwhSum,
    price: Price,
    costSum: CostSum,
    id: z.string().meta({ description: "The asset." }),
    locationId: z.uuid().nullable(),
    from: Instant,
    to: Instant,
    nonSmartPrice: NonSmartPrice,
    estimatedSavings: EstimatedSavings,
    ...IS_COST_KNOWN,
  })
  .meta({ id: "ChargingSession" });
export type ChargingSession = z.infer<typeof ChargingSession>;

/** What was produced in a bucket of time. */
export const ProductionStatistics = z
  .object({
    kw: Kilowatts,
    kwhSum: KwhSum,
    price: Price,
    earningsSum: z.number().meta({
      description: "Currency units, at the prices of the location, for the `kwhPriced` whose price is known.",
    }),
    ...IS_COST_KNOWN,
    date: Instant.meta({ description: "Start of the bucket." }),
  })
  .meta({ id: "ProductionStatistics" });
export type ProductionStatistics = z.infer<typeof ProductionStatistics>;

export const VendorResolution = z.enum(["HOUR", "DAY"]);
export type VendorResolution = z.infer<typeof VendorResolution>;

/** Production of an inverter in whole buckets (deprecated). */
export const VendorStatistics = z
  .object({
    production: z.object({
      unit: z.literal("kWh"),
      data: z.array(z.object({ date: Instant, value: z.number().meta({ description: "kWh." }) })),
    }),
  })
  .meta({ id: "VendorStatistics" });
export type VendorStatistics = z.infer<typeof VendorStatistics>;

const InverterSeries = z
  .object({
    unit: z.literal("kWh"),
    data: z.array(
      z.object({
        date: z.iso.datetime({ offset: true }).meta({ description: "Start of the bucket, RFC 3339 with offset." }),
        value: z.number().nullable().meta({ description: "kWh; null where nothing is known." }),
      }),
    ),
  })
  .nullable();

/** Production of an inverter in one of its own days, or months. */
export const InverterStatistics = z
  .object({
    timezone: z.string().meta({ description: "IANA time zone of the inverter." }),
    resolutions: z.object({ QUARTER_HOUR: InverterSeries.optional(), DAY: InverterSeries.optional() }),
  })
  .meta({ id: "InverterStatistics" });
export type InverterStatistics = z.infer<typeof InverterStatistics>;

/** The same while some of it may still change. */
export const PendingInverterStatistics = InverterStatistics.extend({
  retryAfter: Instant.meta({ description: "When to ask again." }),
}).meta({ id: "PendingInverterStatistics" });
