/**
 * Solcast for home users: sites that are described in an account there, with a band around the forecast. Source:
 * docs.solcast.com.au, rooftop sites.
 */
import { DAY_MS, type ForecastSlot, HOUR_MS, type SiteForecastSource, z } from "hemgate/sdk";
import { Temporal } from "temporal-polyfill";

const HOURS_AHEAD = 96;
const MAX_ROWS = 2_000;
const KW = z.number().max(1e6);

const Row = z.object({
  /** kW, the mean of the period that ends at `period_end`. */
  pv_estimate: KW,
  pv_estimate10: KW.nullish(),
  pv_estimate90: KW.nullish(),
  period_end: z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/),
  period: z.string().max(20),
});

const Answer = z.object({ forecasts: z.array(Row).max(MAX_ROWS) });

/** Without this a 429 says that many ask at once, not that the day's requests are used up. */
const DailyLimit = z.object({ response_status: z.object({ error_code: z.literal("TooManyRequests") }) });

export const solcast: SiteForecastSource = {
  id: "solcast",
  name: "Solcast",
  credit: "Forecast by Solcast, for the home user who has the account",
  hosts: ["api.solcast.com.au"],
  key: "needed",
  // Days there are those of UTC; in no 24 hours are there more than ten, so in no day either.
  limit: { requests: 10, windowMs: DAY_MS },
  everyMs: 3 * HOUR_MS,
  panels: "sites",
  request: (siteId, key) => ({
    url: `https://api.solcast.com.au/rooftop_sites/${encodeURIComponent(siteId)}/forecasts?format=json&hours=${HOURS_AHEAD}`,
    headers: { authorization: `Bearer ${key ?? ""}` },
  }),
  read: readAnswer,
  restUntilMs: ({ headers, body }, nowMs) => {
    const resetMs = Number(headers["x-rate-limit-reset"] ?? Number.NaN) * 1_000;
    if (resetMs > nowMs && resetMs <= nowMs + DAY_MS) return resetMs;
    return DailyLimit.safeParse(body).success ? (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS : null;
  },
};

function readAnswer(body: unknown): readonly ForecastSlot[] | null {
  const answer = Answer.safeParse(body);
  if (!answer.success) return null;
  const slots: ForecastSlot[] = [];
  for (const row of answer.data.forecasts) {
    const toMs = Date.parse(row.period_end);
    const lengthMs = lengthOf(row.period);
    if (Number.isNaN(toMs) || lengthMs === null) return null;
    slots.push({
      fromMs: toMs - lengthMs,
      toMs,
      powerW: watts(row.pv_estimate),
      p10W: wattsOrNull(row.pv_estimate10),
      p90W: wattsOrNull(row.pv_estimate90),
    });
  }
  slots.sort((a, b) => a.fromMs - b.fromMs);
  return slots.some(({ fromMs }, index) => fromMs < (slots[index - 1]?.toMs ?? fromMs)) ? null : slots;
}

function lengthOf(period: string): number | null {
  try {
    const lengthMs = Temporal.Duration.from(period).total("milliseconds");
    return lengthMs > 0 && lengthMs <= DAY_MS ? lengthMs : null;
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function watts(kW: number): number {
  return Math.max(0, kW * 1_000);
}

function wattsOrNull(kW: number | null | undefined): number | null {
  return kW === null || kW === undefined ? null : watts(kW);
}
