import { type Coordinates, distanceM } from "../../domain/assets/asset-location.ts";
import { HOUR_MS } from "../../domain/duration.ts";
import type { Store } from "../../store/store.ts";
import type { Assets } from "../contracts/engine.ts";

/** Hours with less measured time are ignored. */
const KNOWN_MS = 0.9 * HOUR_MS;
/** Inverters farther away from the panels belong to another plant, m. */
const MAX_DISTANCE_M = 1_000;
const MWH_PER_WH = 1_000;

export interface MeasuredParts {
  readonly assets: Pick<Assets, "list">;
  readonly store: Pick<Store, "energy" | "get">;
  /** The user who owns the panels. */
  readonly owner: string;
}

/**
 * Returns the mean production of the owner's inverters at the place, W, by the start of the hour. Hours in which the
 * production of one of them is unknown are left out. Rejects with a `StorageError`.
 */
export async function measuredProduction(
  { assets, store, owner }: MeasuredParts,
  place: Coordinates | null,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<ReadonlyMap<number, number>> {
  const inverters = assets
    .list("inverter")
    .filter(({ asset }) => asset.userId === owner && !isElsewhere(asset.location, place));
  const deviceIds = inverters.flatMap(({ asset }) => store.get("asset", asset.id)?.deviceId ?? []);
  const sums = new Map<number, { inverters: number; powerW: number }>();
  for (const deviceId of new Set(deviceIds)) {
    const stream = { deviceId, kind: "inverter" } as const;
    for (const row of await store.energy({ stream, slotMs: HOUR_MS, fromMs, toMs })) {
      if (row.knownMs < KNOWN_MS) continue;
      const sum = sums.get(row.atMs) ?? { inverters: 0, powerW: 0 };
      sums.set(row.atMs, { inverters: sum.inverters + 1, powerW: sum.powerW + row.inMwh / MWH_PER_WH });
    }
  }
  const complete = [...sums].filter(([, sum]) => sum.inverters === new Set(deviceIds).size);
  return new Map(complete.map(([atMs, { powerW }]) => [atMs, powerW]));
}

function isElsewhere(
  { latitude, longitude }: { readonly latitude: number | null; readonly longitude: number | null },
  place: Coordinates | null,
): boolean {
  if (latitude === null || longitude === null || place === null) return false;
  return distanceM({ latitude, longitude }, place) > MAX_DISTANCE_M;
}
