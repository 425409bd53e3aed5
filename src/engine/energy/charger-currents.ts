import type { KnownControl } from "../../domain/assets/asset-seed.ts";
import { WHOLE_A } from "../../domain/energy/cycle/charger-range.ts";
import type { ChargerView } from "../../domain/energy/cycle/energy-snapshot.ts";
import type { PerPhase } from "../../domain/energy/site/site-connection.ts";
import { type EnergyDevice, latestMs } from "./energy-device.ts";

export const CHARGER_CURRENTS = ["charger.current.l1", "charger.current.l2", "charger.current.l3"] as const;
const NOMINAL_V = 230;
/** Readings of one poll are this close. */
const SAME_POLL_MS = 2_000;
/** Less than this says nothing about which phases a car uses, A. */
const LEAST_A = 1;
/** A car draws the same on each of its phases; below this share of the highest one it was ramping while they were read. */
const EVEN_SHARE = 0.8;
/** A smaller step makes no difference, A. */
const LEAST_STEP_A = 0.1;

/**
 * Returns the currents of a charger by its own phases, A; `null` if they are not known. Some chargers are asked for their
 * power more often than for their currents: then old currents say only how the new power is shared among the phases, or
 * a charger that follows a limit at once would seem to ignore it. Currents that were read one after the other in a ramp do
 * not even say that.
 */
export function chargerCurrents(device: Pick<EnergyDevice, "values" | "measuredAtMs">): PerPhase<number | null> | null {
  const { values } = device;
  const currents = CHARGER_CURRENTS.map((point) => values[point] ?? null);
  const [l1 = null, l2 = null, l3 = null] = currents;
  if (currents.every((current) => current === null)) return null;
  const powerW = values["charger.power"] ?? null;
  const poweredAtMs = device.measuredAtMs("charger.power");
  const currentsAtMs = latestMs(device, CHARGER_CURRENTS);
  const isOld = poweredAtMs !== null && currentsAtMs !== null && poweredAtMs - currentsAtMs > SAME_POLL_MS;
  if (!isOld || powerW === null) return [l1, l2, l3];
  const sumA = (l1 ?? 0) + (l2 ?? 0) + (l3 ?? 0);
  if (sumA < LEAST_A) return powerW / NOMINAL_V < LEAST_A ? [l1, l2, l3] : null;
  if (!isEven([l1 ?? 0, l2 ?? 0, l3 ?? 0])) return null;
  const share = powerW / NOMINAL_V / sumA;
  const now = (current: number | null): number | null => (current === null ? null : current * share);
  return [now(l1), now(l2), now(l3)];
}

/** True for currents of a car that draws evenly, on its first phase at least. */
function isEven(currents: PerPhase<number>): boolean {
  const least = EVEN_SHARE * Math.max(...currents);
  return currents[0] >= least && currents.every((current) => current < LEAST_A || current >= least);
}

/** What can be commanded of a current, where nobody asked for more than `capA`; `null` if nothing can. */
export function currentRange(control: KnownControl | null, capA: number | null): ChargerView["range"] {
  if (control?.range === undefined) return null;
  const { min, max } = control.range;
  const maxA = Math.max(min, Math.min(max, capA ?? Number.POSITIVE_INFINITY));
  return { minA: min, maxA, stepA: Math.max(LEAST_STEP_A, control.step ?? WHOLE_A) };
}
