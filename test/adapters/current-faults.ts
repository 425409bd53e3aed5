/** Holds the currents of a device against its powers, as the gateway takes them. */
import { powerOfCurrent, withCurrentDirections } from "../../src/domain/assets/current-direction.ts";
import type { PointName, PointValue, Reading } from "../../src/points/points.ts";

const PHASES = ["l1", "l2", "l3"] as const;
const CURRENTS = (["meter", "charger"] as const).flatMap((kind) =>
  PHASES.map((phase) => `${kind}.current.${phase}` as const),
);

export interface ComparedCurrents {
  /** Currents that have a direction now. */
  readonly compared: number;
  readonly faults: readonly string[];
}

/** Currents of these points that no power gives a direction. */
export function undirected(points: readonly PointName[]): readonly PointName[] {
  return CURRENTS.filter((current) => points.includes(current) && powerOfCurrent(current, points) === null);
}

/** What is wrong with the currents after the gateway took what a device told. */
export function compareCurrents(told: Readonly<Partial<Record<PointName, unknown>>>): ComparedCurrents {
  const points = Object.keys(told) as PointName[];
  const readings = points.map((point) => ({ point, value: told[point] as PointValue | null }) as Reading);
  const taken = new Map(withCurrentDirections(readings, {}, points).map(({ point, value }) => [point, value]));
  const faults: string[] = [];
  let compared = 0;
  for (const current of CURRENTS) {
    const [before, after] = [told[current], taken.get(current)];
    const power = powerOfCurrent(current, points);
    if (typeof before !== "number" || power === null) continue;
    const watts = told[power];
    const isRight =
      typeof watts === "number"
        ? after === (watts < 0 && before !== 0 ? -1 : 1) * Math.abs(before)
        : after === (current.startsWith("charger.") ? before : null);
    if (typeof watts === "number") compared += 1;
    if (!isRight) faults.push(`${current} is ${after}, told as ${before} at ${power} ${watts}`);
  }
  return { compared, faults };
}
