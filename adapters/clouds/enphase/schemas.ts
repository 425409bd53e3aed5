/** Answers of Enphase's API, version 4, with the parts that are used. Times are seconds since 1970. */
import { z } from "hemgate/sdk";
import { maybeNumber, maybeText } from "../kit/device/maybe.ts";
import { listOf } from "../kit/device/parsed.ts";

export const System = z.object({ system_id: z.number().int(), name: maybeText });
export type System = z.infer<typeof System>;

export const Systems = z.object({ total: maybeNumber, systems: z.array(z.unknown()) });

const Gateway = z.object({ serial_number: maybeText, emu_sw_version: maybeText, sku: maybeText });

/** What is installed, by kind; kinds that a system lacks are missing. */
export const Devices = z.object({
  devices: z.object({
    meters: listOf(z.object({ name: maybeText, config_type: maybeText })).catch([]),
    gateways: listOf(Gateway).catch([]),
    encharges: listOf(z.object({})).catch([]),
  }),
});
export type Devices = z.infer<typeof Devices>["devices"];

const Metered = z.object({ name: maybeText, last_report_at: maybeNumber, power: maybeNumber });
export type Metered = z.infer<typeof Metered>;
const Stored = Metered.extend({ operational_mode: maybeText });
export type Stored = z.infer<typeof Stored>;

/** W as last reported; null when that is longer ago than seven days, or for a channel that nothing is connected to. */
export const LatestTelemetry = z.object({
  devices: z.object({ meters: listOf(Metered).catch([]), encharges: listOf(Stored).catch([]) }),
});
export type LatestTelemetry = z.infer<typeof LatestTelemetry>["devices"];

export const Summary = z.object({
  /** W. */
  current_power: maybeNumber,
  /** Wh. */
  energy_lifetime: maybeNumber,
  /** Wh. */
  battery_capacity_wh: maybeNumber,
  last_interval_end_at: maybeNumber,
  last_report_at: maybeNumber,
});
export type Summary = z.infer<typeof Summary>;

export const BatteryTelemetry = z.object({
  intervals: listOf(z.object({ end_at: maybeNumber })).catch([]),
  /** Such as `97%`. */
  last_reported_aggregate_soc: maybeText,
});
export type BatteryTelemetry = z.infer<typeof BatteryTelemetry>;

export const BatterySettings = z.object({
  battery_mode: maybeText,
  /** %. */
  reserve_soc: maybeNumber,
  /** `enabled` or `disabled`. */
  energy_independence: maybeText,
});
export type BatterySettings = z.infer<typeof BatterySettings>;

/** The body of a 429. */
export const Exceeded = z.object({
  period: z.enum(["minute", "month"]),
  period_start: z.number(),
  period_end: z.number(),
  limit: maybeNumber,
});
