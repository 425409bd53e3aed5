/** Statistics in the API (rules I2.15, I4.11 and S8). */
import { z } from "zod";
import { Instant, LocationId } from "../fields.ts";

export const StatisticsResolution = z.enum(["QUARTER_HOUR", "HALF_HOUR", "HOUR", "DAY", "WEEK", "MONTH", "YEAR"]);
export type StatisticsResolution = z.infer<typeof StatisticsResolution>;

/** The kinds of asset in the charging statistics. */
export const ConsumerKind = z.enum(["charger", "vehicle", "hvac"]);
export type ConsumerKind = z.infer<typeof ConsumerKind>;

const Kilowatts = z
  .object({
    min: z.number().meta({ description: "Lowest power, kW." }),
    max: z.number().meta({ description: "Highest power, kW." }),
    mean: z.number().meta({ description: "Mean power, kW." }),
  })
  .meta({ description: "Power while energy flowed." });

const Price = z
  .object({
    min: z.number().meta({ description: "Lowest price, currency units per kWh." }),
    max: z.number().meta({ description: "Highest price, currency units per kWh." }),
    mean: z.number().meta({ description: "Mean price weighted by energy, currency units per kWh." }),
  })
  .meta({
    description:
      "Price per kWh at the time when the energy flowed; it may be negative. All values are 0 if `kwhPriced` is 0.",
  });

const NonSmartPrice = z
  .object({
    min: z.number().nullable().meta({ description: "Lowest price, currency units per kWh." }),
    max: z.number().nullable().meta({ description: "Highest price, currency units per kWh." }),
    mean: z.number().nullable().meta({ description: "Mean price weighted by energy, currency units per kWh." }),
  })
  .meta({
    description: "Price per kWh without smart charging; all values are `null` if smart charging moved no energy.",
  });

const KwhSum = z.number().meta({ description: "Energy, kWh." });
const CostSum = z.number().meta({
  description: "Cost of `kwhPriced`, the energy with a known price, in currency units; it may be negative.",
});
const IS_COST_KNOWN = {
  isCostKnown: z.boolean().meta({
    description:
      "`true` if the price of all the energy is known. Otherwise `price` and the sum of money are only for `kwhPriced`, and mean nothing if that is 0.",
  }),
  kwhPriced: z.number().meta({ description: "The part of `kwhSum` with a known price, kWh." }),
} as const;
const EstimatedSavings = z.number().nullable().meta({
  description:
    "Cost that smart charging saved, in currency units; negative if it cost more; `null` if it moved no energy with a known price.",
});

/** The energy that was charged or consumed in a time bucket. */
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

/** A charging session: a continuous consumption. */
export const ChargingSession = z
  .object({
    kw: Kilowatts,
    kwhSum: KwhSum,
    price: Price,
    costSum: CostSum,
    id: z.string().meta({ description: "Id of the asset." }),
    locationId: LocationId.meta({ description: "Location of the asset during the session; `null` if none." }),
    from: Instant.meta({ description: "Start of the session." }),
    to: Instant.meta({ description: "End of the session." }),
    nonSmartPrice: NonSmartPrice,
    estimatedSavings: EstimatedSavings,
    ...IS_COST_KNOWN,
  })
  .meta({ id: "ChargingSession" });
export type ChargingSession = z.infer<typeof ChargingSession>;

/** The energy that was produced in a time bucket. */
export const ProductionStatistics = z
  .object({
    kw: Kilowatts,
    kwhSum: KwhSum,
    price: Price,
    earningsSum: z.number().meta({
      description:
        "Value of `kwhPriced`, the energy with a known price, at the location's tariff, in currency units; it may be negative.",
    }),
    ...IS_COST_KNOWN,
    date: Instant.meta({ description: "Start of the bucket." }),
  })
  .meta({ id: "ProductionStatistics" });
export type ProductionStatistics = z.infer<typeof ProductionStatistics>;

export const VendorResolution = z.enum(["HOUR", "DAY"]);
export type VendorResolution = z.infer<typeof VendorResolution>;

/** The production of an inverter in whole buckets (deprecated). */
export const VendorStatistics = z
  .object({
    production: z.object({
      unit: z.literal("kWh"),
      data: z.array(
        z.object({
          date: Instant.meta({ description: "Start of the bucket." }),
          value: z.number().meta({ description: "Energy produced, kWh." }),
        }),
      ),
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
        value: z.number().nullable().meta({ description: "Energy produced, kWh; `null` if not known." }),
      }),
    ),
  })
  .nullable()
  .meta({ description: "`null` if nothing is known." });

/** The production of an inverter in a day or a month of its time zone. */
export const InverterStatistics = z
  .object({
    timezone: z.string().meta({ description: "IANA time zone of the inverter." }),
    resolutions: z.object({ QUARTER_HOUR: InverterSeries.optional(), DAY: InverterSeries.optional() }),
  })
  .meta({ id: "InverterStatistics" });
export type InverterStatistics = z.infer<typeof InverterStatistics>;

/** The production of an inverter while some of its values may still change. */
export const PendingInverterStatistics = InverterStatistics.extend({
  retryAfter: Instant.meta({ description: "Time of the next request that may bring more values." }),
}).meta({ id: "PendingInverterStatistics" });
