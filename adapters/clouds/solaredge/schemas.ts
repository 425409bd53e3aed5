/** Answers of the monitoring API, with the parts that are used. */
import { z } from "hemgate/sdk";
import { maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

export const SiteList = z.object({
  sites: z.object({ count: z.number(), site: z.array(z.unknown()).nullable().catch(null) }),
});

export const Site = z.object({ id: z.number().int(), name: maybeText });
export type Site = z.infer<typeof Site>;

export const Details = z.object({
  details: z.object({
    name: maybeText,
    /** The zone that all of the site's times are in. */
    location: z.object({ timeZone: maybeText }).nullable().catch(null),
  }),
});
export type Details = z.infer<typeof Details>["details"];

const Meter = z.object({ name: maybeText });
const Battery = z.object({ SN: maybeText, nameplateCapacity: maybeNumber });
const Inverter = z.object({ model: maybeText, SN: maybeText, serialNumber: maybeText, cpuVersion: maybeText });

/** The lists that a site has. */
export const Inventory = z.object({
  Inventory: z.object({
    meters: listOf(Meter).catch([]),
    batteries: listOf(Battery).catch([]),
    inverters: listOf(Inverter).catch([]),
  }),
});
export type Inventory = z.infer<typeof Inventory>["Inventory"];

const Part = z
  .object({ status: maybeText, currentPower: maybeNumber, chargeLevel: maybeNumber })
  .nullable()
  .catch(null);
export type Part = z.infer<typeof Part>;

/** Empty for a site without a meter. */
export const PowerFlow = z.object({
  siteCurrentPowerFlow: z.object({
    unit: maybeText,
    connections: listOf(z.object({ from: z.string(), to: z.string() })).catch([]),
    GRID: Part,
    LOAD: Part,
    PV: Part,
    STORAGE: Part,
  }),
});
export type PowerFlow = z.infer<typeof PowerFlow>["siteCurrentPowerFlow"];

export const Overview = z.object({
  overview: z.object({
    lastUpdateTime: maybeText,
    /** Wh. */
    lifeTimeData: z.object({ energy: maybeNumber }).nullable().catch(null),
    /** W. */
    currentPower: z.object({ power: maybeNumber }).nullable().catch(null),
  }),
});
export type Overview = z.infer<typeof Overview>;

const Telemetry = z.object({
  timeStamp: maybeText,
  lifeTimeEnergyCharged: maybeNumber,
  lifeTimeEnergyDischarged: maybeNumber,
});

export const StorageData = z.object({
  storageData: z.object({ batteries: listOf(z.object({ telemetries: listOf(Telemetry).catch([]) })) }),
});
export type StorageData = z.infer<typeof StorageData>;
