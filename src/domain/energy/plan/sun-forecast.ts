/** The panels' production from earlier days, for a house without a forecast of the weather. */
import { DAY_MS, HOUR_MS } from "../../duration.ts";
import { QUARTER_HOUR_MS, type TimesOfPlan } from "./plan-inputs.ts";

/** The weather of yesterday says more about today than one of the days before. */
const YESTERDAY_SHARE = 0.5;
const DAYS = 7;
/** How long the weather of the last hour is expected to go on, ever less. */
const CARRY_MS = 3 * HOUR_MS;
/** Below this the last hour was too dark to say how clouded it is, kWh. */
const LEAST_LIGHT_KWH = 0.1;
const RATIO = { least: 0.3, most: 2 };

/**
 * Returns the mean power in each of the times, kW; `null` where no earlier day is known. `measured` has the mean power of
 * quarter hours by their start, wall-clock ms.
 */
export function sunFromEarlierDays(
  measured: ReadonlyMap<number, number>,
  times: TimesOfPlan,
  nowMs: number,
): readonly (number | null)[] {
  const ratio = ratioOfLastHour(measured, nowMs);
  return times.map(({ fromMs, toMs }) => {
    let sum = 0;
    let count = 0;
    for (let atMs = quarterOf(fromMs); atMs < toMs; atMs += QUARTER_HOUR_MS) {
      const kw = earlierKw(measured, atMs, nowMs);
      if (kw === null) return null;
      sum += kw * (1 + (ratio - 1) * Math.max(0, 1 - (atMs - nowMs) / CARRY_MS));
      count += 1;
    }
    return count === 0 ? null : sum / count;
  });
}

function earlierKw(measured: ReadonlyMap<number, number>, atMs: number, nowMs: number): number | null {
  const daysBack = Math.max(1, Math.floor((atMs - nowMs) / DAY_MS) + 1);
  const days = Array.from({ length: DAYS }, (_, day) => measured.get(atMs - (daysBack + day) * DAY_MS) ?? null);
  const known = days.filter((kw) => kw !== null);
  if (known.length === 0) return null;
  const mean = known.reduce((sum, kw) => sum + kw, 0) / known.length;
  return YESTERDAY_SHARE * (days[0] ?? mean) + (1 - YESTERDAY_SHARE) * mean;
}

/** What the last hour gave, compared with what it gave on the days before; 1 if that says nothing. */
function ratioOfLastHour(measured: ReadonlyMap<number, number>, nowMs: number): number {
  let seen = 0;
  let expected = 0;
  for (let back = 1; back <= HOUR_MS / QUARTER_HOUR_MS; back++) {
    const atMs = quarterOf(nowMs) - back * QUARTER_HOUR_MS;
    const [kw, earlier] = [measured.get(atMs), earlierKw(measured, atMs, nowMs)];
    if (kw === undefined || earlier === null) continue;
    seen += kw / 4;
    expected += earlier / 4;
  }
  return expected < LEAST_LIGHT_KWH ? 1 : Math.min(RATIO.most, Math.max(RATIO.least, seen / expected));
}

function quarterOf(atMs: number): number {
  return Math.floor(atMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS;
}
