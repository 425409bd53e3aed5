/** A tank of hot water with a heating rod whose power is set, as a my-PV AC-THOR drives it. */
import { HOUR_MS } from "hemgate/sdk";
import { seedFor } from "./noise.ts";
import { dailyBetween, localDay } from "./weather.ts";

export interface HeaterTank {
  /** Power that was last asked for, W; 0 once nobody repeats it. */
  readonly orderedW: number;
  /** ms since somebody asked for a power. */
  readonly silentMs: number;
  /** °C. */
  readonly waterC: number;
  /** The water reached its highest temperature; the rod waits until it is colder. */
  readonly isHot: boolean;
  /** W into the rod. */
  readonly powerW: number;
}

/** The rod's highest power, W. */
export const HEATER_MAX_W = 3_000;
/** Without a new value for so long the device stops, s. */
export const HEATER_TIMEOUT_S = 10;
/** °C. */
export const HEATER_MAX_C = 60;
const HEATS_AGAIN_BELOW_C = 58;
/** 300 litres. */
const WH_PER_K = 350;
const LOSS_W_PER_K = 2;
const CELLAR_C = 18;
/** Water from the street, °C: the tank is never colder. */
const COLD_C = 12;

export const FRESH_TANK: HeaterTank = { orderedW: 0, silentMs: 0, waterC: 44, isHot: false, powerW: 0 };

/** Heat that people draw from the tank, W: a shower in the morning, another in the evening, 3 kWh each in half an hour. */
export function hotWaterUse(seed: number, utcOffsetMs: number): (atMs: number) => number {
  const [morning, evening] = [seedFor(seed, "morning"), seedFor(seed, "evening")];
  return (atMs) => {
    const { day, sinceMs } = localDay(atMs, utcOffsetMs);
    const starts = [dailyBetween(morning, day, 6.3, 7.5), dailyBetween(evening, day, 18.5, 21)];
    return starts.some((hour) => sinceMs >= hour * HOUR_MS && sinceMs < (hour + 0.5) * HOUR_MS) ? 6_000 : 0;
  };
}

/** Lets the tank be heated, used and cool down for a slice. */
export function tankAfter(before: HeaterTank, durationMs: number, drawnW: number): HeaterTank {
  const silentMs = before.silentMs + durationMs;
  const orderedW = silentMs >= HEATER_TIMEOUT_S * 1_000 ? 0 : before.orderedW;
  const isHot = before.waterC >= (before.isHot ? HEATS_AGAIN_BELOW_C : HEATER_MAX_C);
  const powerW = isHot ? 0 : Math.min(HEATER_MAX_W, orderedW);
  const heatW = powerW - drawnW - LOSS_W_PER_K * (before.waterC - CELLAR_C);
  const waterC = Math.max(COLD_C, before.waterC + (heatW * durationMs) / HOUR_MS / WH_PER_K);
  return { orderedW, silentMs, waterC, isHot, powerW };
}
