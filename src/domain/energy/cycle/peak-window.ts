/** The paid peak of the import: the mean of a quarter hour by the wall clock. What is left of the running one may be used. */
import { MINUTE_MS } from "../../duration.ts";
import type { GridSample, QuarterMemory } from "./cycle-memory.ts";
import type { EnergySnapshot } from "./energy-snapshot.ts";

const QUARTER_MS = 15 * MINUTE_MS;
/** A paid peak below this is not worth a limit, W. */
const LEAST_PEAK_W = 2_500;
/** What was not measured for longer than this counts as the peak, ms. */
const LONGEST_GAP_MS = MINUTE_MS;
/** Within this time of its end the next quarter hour counts as well, so that the last seconds decide nothing, ms. */
const LEAST_LEFT_MS = MINUTE_MS;
/** After a quiet beginning not more than this share of the peak is drawn: the next quarter hour begins with 1 again. */
const HIGHEST_SHARE = 1.5;
const SAME_QUARTER_MS = 1_000;

/** The paid peak, W; `null`: the tariff has none. */
export function peakW({ site }: EnergySnapshot): number | null {
  return site.peakKw === null ? null : Math.max(site.peakKw * 1_000, LEAST_PEAK_W);
}

/** The import of the running quarter hour up to the newest reading; `null` where no peak is paid, or no wall clock is known. */
export function nextQuarter(
  snapshot: EnergySnapshot,
  before: QuarterMemory | null,
  newest: GridSample | null,
): QuarterMemory | null {
  const limitW = peakW(snapshot);
  const startMs = snapshot.quarterStartMs ?? null;
  if (limitW === null || startMs === null) return null;
  const isSame = before !== null && Math.abs(before.startMs - startMs) < SAME_QUARTER_MS;
  const running = isSame ? before : { startMs, importWms: 0, untilMs: startMs };
  if (newest === null || newest.atMs <= running.untilMs) return running;
  const ms = newest.atMs - running.untilMs;
  const watts = ms > LONGEST_GAP_MS ? limitW : Math.max(0, newest.powerW);
  return { ...running, importWms: running.importWms + watts * ms, untilMs: newest.atMs };
}

/** The import that keeps the mean of the running quarter hour at the peak, W. Without a wall clock it is the peak itself. */
export function leftOfPeak(limitW: number, quarter: QuarterMemory | null): number {
  if (quarter === null) return limitW;
  const leftMs = quarter.startMs + QUARTER_MS - quarter.untilMs;
  const windowMs = Math.max(LEAST_LEFT_MS, leftMs);
  const leftW = (limitW * (QUARTER_MS + windowMs - leftMs) - quarter.importWms) / windowMs;
  return Math.min(HIGHEST_SHARE * limitW, Math.max(0, leftW));
}
