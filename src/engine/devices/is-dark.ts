import type { Config } from "../../config/config.ts";
import { sunElevation } from "../../domain/checks/sun-elevation.ts";
import type { Clock } from "../../platform/ports/ports.ts";

/** Below that, panels give nothing, degrees. */
const DARK_BELOW = -3;

/** Whether the sun is surely down at the house: its place and the time have to be known. */
export function isDark(clock: Pick<Clock, "nowMs" | "quality">, place: Config["site"]["place"]): boolean {
  return place !== undefined && clock.quality() === "synced" && sunElevation(clock.nowMs(), place) < DARK_BELOW;
}
