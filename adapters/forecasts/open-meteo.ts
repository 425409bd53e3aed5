/**
 * open-meteo.com: irradiance on a plane and the air's temperature, every quarter of an hour. Source: open-meteo.com/en/docs,
 * which says that radiation is the mean of the quarter hour before its time, and temperature that of the moment.
 */
import {
  DAY_MS,
  type ForecastPlane,
  type ForecastSlot,
  HOUR_MS,
  MINUTE_MS,
  type PlaneForecastSource,
  z,
} from "hemgate/sdk";
import { pvPowerW } from "./pv-power.ts";

const DAYS = 4;
/** Longer steps than these are gaps. */
const MAX_STEP_MS = HOUR_MS;
const MAX_ROWS = 2_000;
/** What falls onto a plane and what the air has anywhere, W/m² and °C; anything else stands for what is not known. */
const IRRADIANCE = { min: -200, max: 2_000 } as const;
const TEMPERATURE = { min: -90, max: 60 } as const;

const column = z.array(z.number().nullable()).max(MAX_ROWS);

const Answer = z.object({
  minutely_15: z.object({
    time: z.array(z.int()).max(MAX_ROWS),
    global_tilted_irradiance: column,
    temperature_2m: column,
  }),
});

const Refusal = z.object({ reason: z.string() });

export const openMeteo: PlaneForecastSource = {
  id: "open-meteo",
  name: "Open-Meteo",
  credit: "Weather data by Open-Meteo.com, CC BY 4.0; without a key for non-commercial use",
  hosts: ["api.open-meteo.com", "customer-api.open-meteo.com"],
  key: "optional",
  // 600 a minute, 5,000 an hour and 10,000 a day (open-meteo.com/en/terms); a house needs none of that.
  limit: { requests: 100, windowMs: DAY_MS },
  everyMs: HOUR_MS,
  panels: "planes",
  isEstimated: true,
  request: (plane, key) => ({ url: addressOf(plane, key) }),
  read: readAnswer,
  restUntilMs: ({ body }, nowMs) => {
    const reason = Refusal.safeParse(body).data?.reason ?? "";
    if (/^minutely/i.test(reason)) return nowMs + MINUTE_MS;
    if (/^hourly/i.test(reason)) return nowMs + HOUR_MS;
    return /^daily/i.test(reason) ? (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS : null;
  },
};

function addressOf({ latitude, longitude, tilt, azimuth }: ForecastPlane, key: string | null): string {
  const url = new URL(key === null ? "https://api.open-meteo.com" : "https://customer-api.open-meteo.com");
  url.pathname = "/v1/forecast";
  const query = {
    latitude: String(latitude),
    longitude: String(longitude),
    // Its zero is south; west is positive.
    azimuth: String(azimuth - 180),
    tilt: String(tilt),
    minutely_15: "global_tilted_irradiance,temperature_2m",
    forecast_days: String(DAYS),
    timeformat: "unixtime",
    timezone: "GMT",
    ...(key !== null && { apikey: key }),
  };
  url.search = String(new URLSearchParams(query));
  return url.href;
}

function readAnswer(body: unknown, plane: ForecastPlane): readonly ForecastSlot[] | null {
  const answer = Answer.safeParse(body);
  if (!answer.success) return null;
  const { time, global_tilted_irradiance: irradiances, temperature_2m: temperatures } = answer.data.minutely_15;
  const slots: ForecastSlot[] = [];
  for (let index = 1; index < time.length; index += 1) {
    const fromMs = (time[index - 1] ?? 0) * 1_000;
    const toMs = (time[index] ?? 0) * 1_000;
    if (toMs <= fromMs) return null;
    const irradiance = within(irradiances[index], IRRADIANCE);
    const temperature = meanOf(within(temperatures[index - 1], TEMPERATURE), within(temperatures[index], TEMPERATURE));
    if (toMs - fromMs > MAX_STEP_MS || irradiance === null || temperature === null) continue;
    const powerW = pvPowerW(plane, { irradiance, temperature });
    slots.push({ fromMs, toMs, powerW, p10W: null, p90W: null });
  }
  return slots;
}

function within(value: number | null | undefined, { min, max }: { readonly min: number; readonly max: number }) {
  return value === null || value === undefined || value < min || value > max ? null : value;
}

/** Of those that are known; null when none is. */
function meanOf(before: number | null, after: number | null): number | null {
  if (before === null || after === null) return before ?? after;
  return (before + after) / 2;
}
