/**
 * What a gateway's devices measured, by quarter of an hour: the names, units and shape are those of the series that the
 * gateway's own API has of a house, for each device.
 */
import { TelemetryPayload } from "hemgate/cloud-protocol";
import { z } from "zod";
import type { Queryable } from "./database.ts";
import { TELEMETRY } from "./place.ts";

const QUARTER_MS = 15 * 60_000;
/** Quarters that are told in full have hundreds of rows. */
const MAX_QUARTERS = 2 * 96;

/** As the statistics of the gateway's API are asked for; without an end a day. */
export const HistoryQuery = z
  .object({
    startDate: z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
    endDate: z.iso
      .datetime({ offset: true })
      .transform((text) => Date.parse(text))
      .optional(),
  })
  .transform(({ startDate, endDate = startDate + 86_400_000 }) => ({ startDate, endDate }))
  .refine(({ startDate, endDate }) => startDate < endDate, "`endDate` has to be after `startDate`")
  .refine(({ startDate, endDate }) => endDate - startDate <= MAX_QUARTERS * QUARTER_MS, "at most two days");
export type HistoryQuery = z.infer<typeof HistoryQuery>;

/** Which point a series is of, and whether it is all of it, or what is above or below nothing. */
interface Source {
  readonly point: string;
  readonly part: "all" | "above" | "below";
}

const POWER = { unit: "kW", unitType: "Power" } as const;
const LEVEL = { unit: "%", unitType: "SoC" } as const;
const WATTS = 1_000;
const ROUND = 1_000;

/** Points have W, positive into the battery, and at import and production. */
const SERIES: Readonly<Record<string, Source & (typeof POWER | typeof LEVEL)>> = {
  generation: { ...POWER, point: "inverter.power", part: "all" },
  consumption: { ...POWER, point: "hem.load", part: "all" },
  import: { ...POWER, point: "meter.power", part: "above" },
  export: { ...POWER, point: "meter.power", part: "below" },
  charge: { ...POWER, point: "battery.power", part: "above" },
  discharge: { ...POWER, point: "battery.power", part: "below" },
  batteryLevel: { ...LEVEL, point: "battery.soc", part: "all" },
};

type Device = TelemetryPayload["devices"][number];
/** Null: nothing came of it. */
type Quarter = { readonly fromMs: number; readonly told: TelemetryPayload | null };
type Gap = { readonly from_ms: number; readonly through_ms: number; readonly reason: string };

export async function historyView(
  client: Queryable,
  gateway: string,
  { startDate, endDate }: HistoryQuery,
): Promise<object> {
  const firstMs = Math.floor(startDate / QUARTER_MS) * QUARTER_MS;
  const { rows } = await client.query<{ from_ms: number; payload: unknown }>(
    `SELECT from_ms, record->'payload' AS payload FROM telemetry WHERE gateway = $1 AND from_ms >= $2 AND from_ms < $3`,
    [gateway, firstMs, endDate],
  );
  const { rows: gaps } = await client.query<Gap>(
    `SELECT from_ms, through_ms, reason FROM gap WHERE gateway = $1 AND stream = $2 AND from_ms < $4 AND through_ms > $3`,
    [gateway, TELEMETRY, firstMs, endDate],
  );
  const told = new Map(rows.map((row) => [Math.floor(row.from_ms / QUARTER_MS) * QUARTER_MS, row.payload]));
  const quarters = Array.from({ length: Math.ceil((endDate - firstMs) / QUARTER_MS) }, (_, index): Quarter => {
    const fromMs = firstMs + index * QUARTER_MS;
    return { fromMs, told: TelemetryPayload.safeParse(told.get(fromMs)).data ?? null };
  });
  const ids = new Set(quarters.flatMap((quarter) => quarter.told?.devices.map(({ deviceId }) => deviceId) ?? []));
  return {
    devices: [...ids].toSorted().map((deviceId) => ({ deviceId, timeseries: timeseriesOf(deviceId, quarters) })),
    holes: holesOf(
      quarters.filter(({ fromMs }) => !told.has(fromMs)),
      gaps,
    ),
  };
}

/** Those of which the device told something; null in a quarter of which it did not. */
function timeseriesOf(deviceId: string, quarters: readonly Quarter[]): object {
  const series = Object.entries(SERIES).map(([name, { unit, unitType, point, part }]) => {
    const data = quarters.map(({ fromMs, told }) => {
      const device = told?.devices.find((each) => each.deviceId === deviceId);
      const mean = device === undefined ? null : meanOf(device, { point, part }, told?.resolution === "full");
      return { t: new Date(fromMs).toISOString(), v: rounded(mean, unit === "kW" ? WATTS : 1) };
    });
    const sampling = { mode: "bucketed", resolution: "PT15M" };
    return [name, { unit, unitType, sampling, timezone: "UTC", data }] as const;
  });
  return Object.fromEntries(series.filter(([, { data }]) => data.some(({ v }) => v !== null)));
}

/**
 * Over the values that are known. A quarter that came as means has the balance of both directions only: it stands at its
 * side, and what the other one was nobody knows.
 */
function meanOf({ points }: Device, { point, part }: Source, isFull: boolean): number | null {
  const sign = part === "below" ? -1 : 1;
  const values = (points[point] ?? []).filter((value) => typeof value === "number").map((value) => value * sign);
  const parts = part === "all" ? values : values.map((value) => Math.max(0, value));
  if (parts.length === 0 || (part !== "all" && !isFull && values.some((value) => value < 0))) return null;
  return parts.reduce((sum, value) => sum + value, 0) / parts.length;
}

/** To the watt, or the thousandth of a percent. */
function rounded(value: number | null, scale: number): number | null {
  return value === null ? null : Math.round((value / scale) * ROUND) / ROUND + 0;
}

/** Of quarters of which nothing came: those that never will, in a row as one. */
function holesOf(missing: readonly Quarter[], gaps: readonly Gap[]): readonly object[] {
  const holes: { readonly fromMs: number; readonly throughMs: number; readonly reason: string }[] = [];
  for (const { fromMs } of missing) {
    const gap = gaps.find((each) => each.from_ms < fromMs + QUARTER_MS && each.through_ms > fromMs);
    if (gap === undefined) continue;
    const last = holes.at(-1);
    const isNext = last?.throughMs === fromMs && last.reason === gap.reason;
    const hole = { fromMs: isNext ? last.fromMs : fromMs, throughMs: fromMs + QUARTER_MS, reason: gap.reason };
    holes.splice(isNext ? -1 : holes.length, 1, hole);
  }
  return holes.map(({ fromMs, throughMs, reason }) => {
    return { fromAt: new Date(fromMs).toISOString(), throughAt: new Date(throughMs).toISOString(), reason };
  });
}
