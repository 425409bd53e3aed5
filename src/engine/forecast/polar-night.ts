import type { Coordinates } from "../../domain/assets/whereabouts.ts";
import { sunElevation } from "../../domain/checks/sun-elevation.ts";
import { DAY_MS } from "../../domain/duration.ts";
import type { ForecastSlot } from "../../sdk/forecast-source.ts";

const QUARTER_MS = 15 * 60_000;
/** Below that, panels give nothing, degrees. */
const DARK_BELOW = -3;

/**
 * The next 24 hours where the sun stays down: some sources have nothing to tell then. None where it rises, so that their
 * silence is a failure.
 */
export function polarNight(nowMs: number, place: Coordinates | null): readonly ForecastSlot[] {
  if (place === null) return [];
  const fromMs = Math.floor(nowMs / QUARTER_MS) * QUARTER_MS;
  for (let atMs = fromMs; atMs <= fromMs + DAY_MS; atMs += QUARTER_MS) {
    if (sunElevation(atMs, place) >= DARK_BELOW) return [];
  }
  return [{ fromMs, toMs: fromMs + DAY_MS, powerW: 0, p10W: null, p90W: null }];
}
