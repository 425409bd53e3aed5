import { MINUTE_MS } from "../../../domain/duration.ts";
import type { EnergySnapshot } from "../../../domain/energy/cycle/energy-snapshot.ts";

/** A reading that is older says nothing about now, ms. */
const OLD_AFTER_MS = MINUTE_MS;

/** Returns the load less the panels, without the batteries, W; positive: the house lacks power. `null`: not known. */
export function netLoadW({ grid, batteries }: EnergySnapshot, nowMs: number): number | null {
  const isOld = grid.measuredAtMs === null || nowMs - grid.measuredAtMs > OLD_AFTER_MS;
  if (isOld || grid.powerW === null || batteries.some(({ powerW }) => powerW === null)) return null;
  return batteries.reduce((sum, { powerW }) => sum - (powerW ?? 0), grid.powerW);
}
