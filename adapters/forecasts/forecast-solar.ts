/**
 * forecast.solar: power and energy of a plane. Source: doc.forecast.solar/api and /for_developers.
 *
 * Its times are irregular: it adds sunrise and sunset, where the power is 0. `watts` are those of a moment;
 * `watt_hours_period` is the energy since the time before, so that it alone gives means.
 */
import { type ForecastSlot, HOUR_MS, type PlaneForecastSource, z } from "hemgate/sdk";
import { Temporal } from "temporal-polyfill";

const QUARTER_MS = HOUR_MS / 4;
const MAX_ROWS = 2_000;
const MAX_WH = 1e9;
/** Energy since a time longer ago than this was not made evenly: the times between are missing. */
const MAX_PERIOD_MS = 2 * HOUR_MS;

const WITH_OFFSET = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(Z|[+-]\d{2}:\d{2})$/;
const LOCAL = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** Nothing in it is written as an empty list: the service is written in PHP. */
const ByTime = z
  .union([z.record(z.string().max(40), z.number().max(MAX_WH)), z.array(z.never())])
  .transform((rows) => Object.entries(rows))
  .refine((rows) => rows.length <= MAX_ROWS);

const Answer = z.object({
  result: z.object({ watts: ByTime.optional(), watt_hours_period: ByTime }),
  message: z.object({ info: z.object({ timezone: z.string().optional() }).optional() }).optional(),
});

const Refusal = z.object({
  message: z.object({ ratelimit: z.object({ "retry-at": z.iso.datetime({ offset: true }) }) }),
});

export const forecastSolar: PlaneForecastSource = {
  id: "forecast-solar",
  name: "Forecast.Solar",
  credit: "Forecast by Forecast.Solar; without a key for personal use",
  hosts: ["api.forecast.solar"],
  key: "optional",
  // Of one address without a key; with one it is more.
  limit: { requests: 12, windowMs: HOUR_MS },
  everyMs: HOUR_MS,
  panels: "planes",
  isEstimated: false,
  request: ({ latitude, longitude, tilt, azimuth, peakKw }, key) => {
    const account = key === null ? "" : `/${encodeURIComponent(key)}`;
    // Whole degrees, and its zero is south; west is positive.
    const plane = [latitude, longitude, Math.round(tilt), Math.round(azimuth) - 180, peakKw].join("/");
    return { url: `https://api.forecast.solar${account}/estimate/${plane}?time=utc` };
  },
  read: readAnswer,
  restUntilMs: ({ body }) => {
    const retryAt = Refusal.safeParse(body).data?.message.ratelimit["retry-at"];
    return retryAt === undefined ? null : Date.parse(retryAt);
  },
};

function readAnswer(body: unknown): readonly ForecastSlot[] | null {
  const answer = Answer.safeParse(body);
  if (!answer.success) return null;
  const zone = answer.data.message?.info?.timezone ?? null;
  const { watts = [], watt_hours_period: periods } = answer.data.result;
  const dark = new Set(watts.filter(([, powerW]) => powerW === 0).map(([text]) => text));
  const rows = periods.map(([text, energyWh]) => ({ atMs: atMs(text, zone), energyWh, isDark: dark.has(text) }));
  if (!rows.every(isTimed)) return null;
  rows.sort((a, b) => a.atMs - b.atMs);
  const slots = rows.slice(1).flatMap(({ atMs: toMs, energyWh }, index): ForecastSlot[] => {
    const fromMs = rows[index]?.atMs ?? toMs;
    const lengthMs = toMs - fromMs;
    if (lengthMs <= 0 || (energyWh > 0 && lengthMs > MAX_PERIOD_MS)) return [];
    return [slot(fromMs, toMs, Math.max(0, (energyWh * HOUR_MS) / lengthMs))];
  });
  return [...twilight(rows.at(0), Math.floor), ...slots, ...twilight(rows.at(-1), Math.ceil)];
}

/** The forecast begins with a sunrise and ends with a sunset: what is left of these quarter hours is dark. */
function twilight(row: TimedRow | undefined, towards: (quarters: number) => number): readonly ForecastSlot[] {
  if (row?.isDark !== true) return [];
  const edgeMs = towards(row.atMs / QUARTER_MS) * QUARTER_MS;
  if (edgeMs === row.atMs) return [];
  return [slot(Math.min(edgeMs, row.atMs), Math.max(edgeMs, row.atMs), 0)];
}

function slot(fromMs: number, toMs: number, powerW: number): ForecastSlot {
  return { fromMs, toMs, powerW, p10W: null, p90W: null };
}

interface Row {
  readonly atMs: number | null;
  readonly energyWh: number;
  readonly isDark: boolean;
}

type TimedRow = Row & { readonly atMs: number };

function isTimed(row: Row): row is TimedRow {
  return row.atMs !== null;
}

/** UTC is asked for; times without an offset are those of the place, which the answer names. */
function atMs(text: string, zone: string | null): number | null {
  if (WITH_OFFSET.test(text)) {
    const parsed = Date.parse(text.replace(" ", "T"));
    return Number.isNaN(parsed) ? null : parsed;
  }
  if (zone === null || !LOCAL.test(text)) return null;
  try {
    return Temporal.PlainDateTime.from(text).toZonedDateTime(zone).epochMilliseconds;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
