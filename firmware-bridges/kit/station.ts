/** What charging stations have in common. */
import type { Control } from "hemgate/sdk";

/** The least current that IEC 61851 lets a charger offer, A. */
export const LEAST_A = 6;
/** The current of a station that has not reported more, A. */
export const USUAL_MOST_A = 32;

/** A stop of the gateway gives the current back, and must not let a vehicle charge that was stopped. */
export function stationControls(mostA: number): readonly Control[] {
  return [
    { point: "charger.maxCurrent", range: { min: LEAST_A, max: mostA }, holdMs: null, safeDefault: "as-found" },
    { point: "charger.enabled", values: [true, false], holdMs: null, safeDefault: null },
  ];
}

/** The keys of a list, distinguished from all other text. */
export function keysOf<Key extends string>(keys: readonly Key[]): (name: string) => name is Key {
  const known = new Set<string>(keys);
  return (name): name is Key => known.has(name);
}
