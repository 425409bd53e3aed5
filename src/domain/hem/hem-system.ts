/** A house as one energy system of batteries, inverters and meters (rules I2.9, S6.1 and S6.2). */
import { z } from "zod";
import { Instant, LastUpdated, LocationId, NullableInstant } from "../fields.ts";
import type { Flow } from "../statistics/statistics-flow.ts";

function energyToday(what: string) {
  return z
    .number()
    .nullable()
    .meta({ description: `${what} since local midnight, kWh; \`null\` if not known.` });
}

export const HemSystem = z
  .object({
    id: z.uuid().meta({ description: "Id of the system." }),
    userId: z.string().meta({ description: "User that the system belongs to." }),
    locationId: LocationId,
    information: z.object({
      vendor: z.string().meta({ description: "Vendor code of the devices." }),
      name: z.string().meta({ description: "Name of the location, else of the vendor." }),
      installationDate: Instant.meta({ description: "Time since which the gateway knows the system." }),
      latitude: z.number().nullable().meta({
        description: "Latitude, degrees, positive north; `null` if not known.",
      }),
      longitude: z.number().nullable().meta({
        description: "Longitude, degrees, positive east; `null` if not known.",
      }),
      address: z.string().nullable().meta({ description: "Postal address; `null` if not known." }),
      timezone: z.string().nullable().meta({ description: "IANA time zone, such as `Europe/Berlin`." }),
      lastUpdated: LastUpdated,
    }),
    status: z.object({
      lastSeen: NullableInstant.meta({
        description: "Time of the last successful communication with one of the devices; `null` if there was none.",
      }),
      energy: z.object({
        today: z.object({
          generation: energyToday("Energy produced"),
          consumption: energyToday("Energy consumed by the house"),
          charge: energyToday("Energy charged into batteries"),
          discharge: energyToday("Energy discharged from batteries"),
          import: energyToday("Energy imported from the grid"),
          export: energyToday("Energy exported to the grid"),
          unit: z.literal("kWh"),
          lastUpdated: LastUpdated,
        }),
      }),
    }),
  })
  .meta({ id: "HemSystem", description: "The batteries, inverters and meters of a house as one system." });
export type HemSystem = z.infer<typeof HemSystem>;

const HemSeries = z
  .discriminatedUnion("isAvailable", [
    z.object({
      isAvailable: z.literal(true),
      unit: z.enum(["kW", "kWh", "%"]),
      unitType: z.enum(["Power", "Energy", "SoC"]),
      sampling: z.object({
        mode: z.literal("bucketed"),
        resolution: z
          .enum(["PT5M", "PT10M", "PT15M", "PT30M", "PT1H", "P1D"])
          .meta({ description: "Length of a bucket, ISO 8601 duration." }),
      }),
      timezone: z.string().meta({ description: "IANA time zone of the buckets." }),
      data: z.array(
        z.object({
          t: z.iso.datetime({ offset: true }).meta({ description: "Start of the bucket, RFC 3339 with offset." }),
          v: z.number().nullable().meta({
            description: "Value of the bucket in `unit`: mean power, energy, or state of charge; `null` if not known.",
          }),
        }),
      ),
    }),
    z.object({
      isAvailable: z.literal(false),
      reason: z.string().meta({ description: "Why there is no series, in English." }),
    }),
  ])
  .meta({ id: "HemSeries" });
export type HemSeries = z.infer<typeof HemSeries>;

/** The energy and power of a system over a day or a month. */
export const HemStatistics = z
  .object({
    timeseries: z.object({
      generation: HemSeries,
      consumption: HemSeries,
      import: HemSeries,
      export: HemSeries,
      charge: HemSeries,
      discharge: HemSeries,
      batteryLevel: HemSeries,
    }),
  })
  .meta({ id: "HemStatistics" });
export type HemStatistics = z.infer<typeof HemStatistics>;

/** A day or a month of the calendar in the system's time zone. */
export const HemInterval = z
  .string()
  .regex(/^\d{4}-\d\d(-\d\d)?$/, { error: "Expected YYYY-MM-DD or YYYY-MM" })
  .meta({ description: "YYYY-MM-DD for a day, YYYY-MM for a month, in the system's time zone." });

const MonthEnergy = z.number().nullable().meta({ description: "kWh; `null` if not known, or not measured." });

/** The energy of a system by the months of a year, an addition of this gateway to the interface. */
export const HemYear = z
  .object({
    year: z.int(),
    timezone: z.string().meta({ description: "IANA time zone of the months." }),
    months: z.array(
      z.object({
        t: z.iso.datetime({ offset: true }).meta({ description: "Start of the month, RFC 3339 with offset." }),
        generation: MonthEnergy,
        consumption: MonthEnergy,
        import: MonthEnergy,
        export: MonthEnergy,
        charge: MonthEnergy,
        discharge: MonthEnergy,
      }),
    ),
  })
  .meta({ id: "HemYear" });
export type HemYear = z.infer<typeof HemYear>;

/** The energy flows of a house, kWh; `null` where nothing is known. */
export interface HouseFlows {
  readonly generation: number | null;
  readonly consumption: number | null;
  readonly import: number | null;
  readonly export: number | null;
  readonly charge: number | null;
  readonly discharge: number | null;
}

/** The flows of the devices of each kind in the same span of time. */
interface Parts {
  readonly inverter: readonly Flow[];
  readonly meter: readonly Flow[];
  readonly battery: readonly Flow[];
}

/** The flows of all devices, and those from which the consumption is calculated. */
export interface MeasuredFlows extends Parts {
  /** The consumption that energy managers report. */
  readonly load: readonly Flow[];
  /** The flows of the devices in the times without a reported load; all flows if no manager reports one. */
  readonly withoutLoad: Parts;
}

const MWH_PER_KWH = 1_000_000;
/** Tolerance between counters and powers of several devices: a fraction of the incoming energy, and mWh. */
const APART_PART = 0.05;
const APART_MWH = 10_000;

/**
 * Adds up the flows of a house by kind. The consumption is what an energy manager reports, else import + production +
 * discharge − export − charge. It is `null` without a meter, while a battery does not answer, and if the balance is
 * negative. An inverter that does not answer counts as 0.
 */
export function houseFlows({ inverter, meter, battery, load, withoutLoad }: MeasuredFlows): HouseFlows {
  const generation = total(inverter, ({ inMwh }) => inMwh);
  const imported = total(meter, ({ inMwh }) => inMwh);
  const exported = total(meter, ({ outMwh }) => outMwh);
  const charge = total(battery, ({ inMwh }) => inMwh);
  const discharge = total(battery, ({ outMwh }) => outMwh);
  const reported = total(load, ({ inMwh }) => inMwh);
  const balance = balanceOf(withoutLoad);
  const consumption = reported === null ? balance : reported + (balance ?? 0);
  return {
    generation: kwh(generation),
    consumption: kwh(consumption),
    import: kwh(imported),
    export: kwh(exported),
    charge: kwh(charge),
    discharge: kwh(discharge),
  };
}

function balanceOf({ inverter, meter, battery }: Parts): number | null {
  const imported = total(meter, ({ inMwh }) => inMwh);
  const exported = total(meter, ({ outMwh }) => outMwh);
  const charge = total(battery, ({ inMwh }) => inMwh);
  const isBatterySilent = battery.length > 0 && charge === null;
  if (imported === null || exported === null || isBatterySilent) return null;
  const discharge = total(battery, ({ outMwh }) => outMwh) ?? 0;
  const came = (total(inverter, ({ inMwh }) => inMwh) ?? 0) + imported + discharge;
  const used = came - exported - (charge ?? 0);
  return used < -(APART_MWH + APART_PART * came) ? null : Math.max(0, used);
}

/** Returns the longest time that one of the flows covers, ms. */
export function longestKnownMs(flows: readonly Flow[]): number {
  return Math.max(0, ...flows.map(({ knownMs }) => knownMs));
}

/** Adds up the flows that cover any time, mWh; `null` if there are none. */
function total(flows: readonly Flow[], of: (flow: Flow) => number): number | null {
  const known = flows.filter(({ knownMs }) => knownMs > 0);
  return known.length === 0 ? null : known.reduce((sum, flow) => sum + of(flow), 0);
}

function kwh(mwh: number | null): number | null {
  return mwh === null ? null : Math.round(mwh) / MWH_PER_KWH;
}
