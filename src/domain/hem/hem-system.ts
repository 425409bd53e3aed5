/** A house as one energy system: its batteries, inverters and meters together (rules I2.9, S6.1 and S6.2). */
import { z } from "zod";
import { Instant, NullableInstant } from "../fields.ts";
import type { Flow } from "../statistics/statistics-flow.ts";

const NullableKwh = z.number().nullable().meta({ description: "kWh since local midnight; null when nothing tells." });

export const HemSystem = z
  .object({
    id: z.uuid(),
    userId: z.string(),
    locationId: z.uuid().nullable(),
    information: z.object({
      vendor: z.string(),
      name: z.string(),
      installationDate: Instant.meta({ description: "Since when the system is known here." }),
      latitude: z.number().nullable().meta({ description: "Degrees north." }),
      longitude: z.number().nullable().meta({ description: "Degrees east." }),
      address: z.string().nullable(),
      timezone: z.string().nullable().meta({ description: "IANA time zone." }),
      lastUpdated: NullableInstant,
    }),
    status: z.object({
      lastSeen: NullableInstant,
      energy: z.object({
        today: z.object({
          generation: NullableKwh,
          consumption: NullableKwh,
          charge: NullableKwh,
          discharge: NullableKwh,
          import: NullableKwh,
          export: NullableKwh,
          unit: z.literal("kWh"),
          lastUpdated: NullableInstant,
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
        resolution: z.enum(["PT5M", "PT10M", "PT15M", "PT30M", "PT1H", "P1D"]),
      }),
      timezone: z.string(),
      data: z.array(
        z.object({
          t: z.iso.datetime({ offset: true }).meta({ description: "Start of the bucket, RFC 3339 with offset." }),
          v: z.number().nullable().meta({ description: "Null where nothing is known." }),
        }),
      ),
    }),
    z.object({ isAvailable: z.literal(false), reason: z.string() }),
  ])
  .meta({ id: "HemSeries" });
export type HemSeries = z.infer<typeof HemSeries>;

/** What a system did in a day or a month. */
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

/** A day or a month of a system's own calendar. */
export const HemInterval = z
  .string()
  .regex(/^\d{4}-\d\d(-\d\d)?$/, { error: "Expected YYYY-MM-DD or YYYY-MM" })
  .meta({ description: "YYYY-MM-DD for a day, YYYY-MM for a month, in the system's time zone." });

/** The flows of a house, kWh; null where nothing is known. */
export interface HouseFlows {
  readonly generation: number | null;
  readonly consumption: number | null;
  readonly import: number | null;
  readonly export: number | null;
  readonly charge: number | null;
  readonly discharge: number | null;
}

/** What the devices of each kind measured in the same time. */
interface Parts {
  readonly inverter: readonly Flow[];
  readonly meter: readonly Flow[];
  readonly battery: readonly Flow[];
}

export interface MeasuredFlows extends Parts {
  /** What an energy manager says that the house used. */
  readonly load: readonly Flow[];
  /** What the devices measured while no manager said that; as all of it where there is none. */
  readonly untold: Parts;
}

const MWH_PER_KWH = 1_000_000;
/** What counters and powers of several devices may be apart: a part of what came in, and mWh. */
const APART_PART = 0.05;
const APART_MWH = 10_000;

/**
 * The flows of a house: what devices of a kind measured is added up. The house consumed what its energy manager says; as
 * far as none does, what came in and did not go out. Without a meter that is not known, nor while a battery is silent; an
 * inverter that tells nothing counts as idle in it. Less than nothing is not known either.
 */
export function houseFlows({ inverter, meter, battery, load, untold }: MeasuredFlows): HouseFlows {
  const generation = total(inverter, ({ inMwh }) => inMwh);
  const imported = total(meter, ({ inMwh }) => inMwh);
  const exported = total(meter, ({ outMwh }) => outMwh);
  const charge = total(battery, ({ inMwh }) => inMwh);
  const discharge = total(battery, ({ outMwh }) => outMwh);
  const told = total(load, ({ inMwh }) => inMwh);
  const reckoned = balanceOf(untold);
  const consumption = told === null ? reckoned : told + (reckoned ?? 0);
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

/** For how long the device that knows most knows something, ms. */
export function longest(flows: readonly Flow[]): number {
  return Math.max(0, ...flows.map(({ knownMs }) => knownMs));
}

/** Milliwatt hours of the devices that know something; null when none does. */
function total(flows: readonly Flow[], of: (flow: Flow) => number): number | null {
  const known = flows.filter(({ knownMs }) => knownMs > 0);
  return known.length === 0 ? null : known.reduce((sum, flow) => sum + of(flow), 0);
}

function kwh(mwh: number | null): number | null {
  return mwh === null ? null : Math.round(mwh) / MWH_PER_KWH;
}
