import { ASSET_KINDS, type AssetKind } from "../../domain/asset.ts";
import { LOOK_BACK_MS } from "../../domain/physics/check-house.ts";
import { type Sample, Source } from "../../domain/physics/house-history.ts";
import { POINT_UNITS, type PointName, type Reading } from "../../sdk/points.ts";

/** What a device told lately, kind by kind; no more than the checks look back, nor than a device that floods may cost. */
export class ReadingHistory {
  readonly #samples = new Map<string, Sample[]>();

  add(deviceId: string, readings: readonly Reading[], atMs: number): void {
    for (const kind of ASSET_KINDS) {
      const values = numbersOf(kind, readings);
      if (values === null) continue;
      const key = keyOf(deviceId, kind);
      const samples = this.#samples.get(key) ?? [];
      samples.push({ atMs, values });
      const from = samples.findIndex((sample) => sample.atMs >= atMs - LOOK_BACK_MS);
      const surplus = Math.max(from, samples.length - MAX_SAMPLES);
      if (surplus > 0) samples.splice(0, surplus);
      this.#samples.set(key, samples);
    }
  }

  /** The device is read in another way from here on, or is gone. */
  forget(deviceId: string): void {
    for (const kind of ASSET_KINDS) this.#samples.delete(keyOf(deviceId, kind));
  }

  /** Null when the device told nothing of the kind since an instant. */
  source(deviceId: string, kind: AssetKind, sinceMs: number): Source | null {
    const samples = this.#samples.get(keyOf(deviceId, kind)) ?? [];
    return (samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < sinceMs ? null : new Source(deviceId, kind, samples);
  }
}

const MAX_SAMPLES = 400;

function keyOf(deviceId: string, kind: AssetKind): string {
  return `${kind} ${deviceId}`;
}

function numbersOf(kind: AssetKind, readings: readonly Reading[]): Sample["values"] | null {
  const own = readings.filter(({ point }) => point.startsWith(`${kind}.`) && POINT_UNITS[point] !== "");
  if (own.length === 0) return null;
  const values: Partial<Record<PointName, number | null>> = {};
  for (const { point, value } of own) values[point] = typeof value === "number" ? value : null;
  return values;
}
