/** The connection of the house to the grid: its fuses, its contract, its circuits, and what hangs on which phase. */
import { z } from "zod";

export const PHASES = ["L1", "L2", "L3"] as const;
export const Phase = z.enum(PHASES);
export type Phase = z.infer<typeof Phase>;

/** One value for each phase, L1 first. */
export type PerPhase<T> = readonly [T, T, T];

/** A fused part of the house. Its parent is another circuit, or the main fuse if there is none. */
export interface Circuit {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  /** A per phase; `null`: it has no fuse. */
  readonly fuseA: number | null;
  /** Highest import, kW; `null`: no limit. */
  readonly maxKw: number | null;
  /** The meter asset that measures the circuit; `null`: the sum of the members' readings counts. */
  readonly meterId: string | null;
  /** Asset ids of what hangs on it. */
  readonly memberIds: readonly string[];
}

/** A load that no device of the gateway measures: its current is kept free on its phases. */
export interface UnmeteredLoad {
  readonly name: string;
  /** `null`: directly behind the main fuse. */
  readonly circuitId: string | null;
  readonly phases: readonly Phase[];
  /** A per phase. */
  readonly maxA: number;
}

/**
 * What a meter measures that is not at the connection. Those that end in `-turned` read production as export; `other-panels`
 * have no inverter that is a device, in a house where other panels have one.
 */
export const METER_USES = ["panels", "panels-turned", "other-panels", "other-panels-turned", "inside"] as const;
export type MeterUse = (typeof METER_USES)[number];

/** Uses that count as production only in a house without an inverter that is a device: with one it might count twice. */
export const ONLY_PANELS: ReadonlySet<MeterUse> = new Set(["panels", "panels-turned"]);

/** By device id, the meters that are not at the connection. */
export type MeterUses = ReadonlyMap<string, MeterUse>;

export interface SiteConnection {
  readonly phases: 1 | 3;
  /** A per phase; `null`: not set, the health and the checks say so. */
  readonly fuseA: number | null;
  /** Contracted import, kW; `null`: none. */
  readonly importKw: number | null;
  /** Paid quarter-hour peak of the import, kW; `null`: no tariff for the peak. */
  readonly peakKw: number | null;
  /** Highest feed-in, kW; `null`: no limit. A share of the panels' peak power is resolved by now. */
  readonly exportKw: number | null;
  /** Highest load of single-phase chargers on one phase, VA: 4600 in Germany, 3700 in Austria. Absent or `null`: not limited. */
  readonly unbalanceVa?: number | null;
  /** The meter asset at the connection; `null`: the meter of the energy system. */
  readonly gridMeterId: string | null;
  /** Absent: all meters are at the connection. */
  readonly meterUses?: MeterUses;
  readonly circuits: readonly Circuit[];
  /** By asset, the phases that it hangs on, its own L1 first: `["L2"]`, or `["L2", "L3", "L1"]` if rotated. */
  readonly phasesOf: ReadonlyMap<string, readonly Phase[]>;
  /** Loads that nothing measures; absent: none. */
  readonly unmetered?: readonly UnmeteredLoad[];
}

/** Returns the phases that a device is connected to, its own L1 first. */
export function phasesOf(assetId: string, site: SiteConnection): readonly Phase[] {
  return site.phasesOf.get(assetId) ?? (site.phases === 1 ? ["L1"] : PHASES);
}
