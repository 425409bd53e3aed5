import { type Coordinates, distanceM } from "../../domain/assets/whereabouts.ts";
import { HOUR_MS } from "../../domain/duration.ts";
import type { Store } from "../../store/store.ts";
import type { Assets } from "../contracts/engine.ts";

/** An hour of which less was known says too little. */
const KNOWN_MS = 0.9 * HOUR_MS;
/** What is farther from the panels is another plant, m. */
const AWAY_M = 1_000;
const MWH_PER_WH = 1_000;

export interface MeasuredParts {
  readonly assets: Pick<Assets, "list">;
  readonly store: Pick<Store, "energy" | "get">;
  /** The user whose house it is. */
  readonly owner: string;
}

/**
 * What the owner's inverters produced together in hours of [fromMs, toMs), mean W by the start of the hour, where it is
 * known of all of them. Those that are known to be elsewhere do not count. Rejects with a `StorageError`.
 */
export async function measuredProduction(
  { assets, store, owner }: MeasuredParts,
  place: Coordinates | null,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<ReadonlyMap<number, number>> {
  const inverters = assets
    .list("inverter")
    .filter(({ asset }) => asset.userId === owner && !isAway(asset.location, place));
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
  const whole = [...sums].filter(([, sum]) => sum.inverters === new Set(deviceIds).size);
  return new Map(whole.map(([atMs, { powerW }]) => [atMs, powerW]));
}

function isAway(
  { latitude, longitude }: { readonly latitude: number | null; readonly longitude: number | null },
  place: Coordinates | null,
): boolean {
  if (latitude === null || longitude === null || place === null) return false;
  return distanceM({ latitude, longitude }, place) > AWAY_M;
}
