import { ASSET_KINDS, type AssetKind } from "../../domain/assets/asset.ts";
import { LOOK_BACK_MS } from "../../domain/checks/check-house.ts";
import { type Sample, Source } from "../../domain/checks/house-history.ts";
import { POINT_UNITS, type PointName, type Reading } from "../../points/points.ts";

/** Keeps the recent readings of devices by kind, as long as the checks look back and at most 400 samples each. */
export class ReadingHistory {
  readonly #samples = new Map<string, Sample[]>();

  add(deviceId: string, readings: readonly Reading[], atMs: number, tookMs: number): void {
    for (const [kind, values] of numbersByKind(readings)) {
      const key = keyOf(deviceId, kind);
      const samples = this.#samples.get(key) ?? [];
      samples.push({ atMs, tookMs, values });
      // Half of the samples are dropped at once, because cutting one by one is slow; `source` ignores old ones anyway.
      if (samples.length > MAX_SAMPLES) samples.splice(0, samples.length - MAX_SAMPLES / 2);
      this.#samples.set(key, samples);
    }
  }

  /** Drops the readings of a device, because it is read differently from now on or is gone. */
  forget(deviceId: string): void {
    for (const kind of ASSET_KINDS) this.#samples.delete(keyOf(deviceId, kind));
  }

  /** Returns the readings as far as the checks look back; `null` if the device reported nothing of the kind since `sinceMs`. */
  source(deviceId: string, kind: AssetKind, sinceMs: number, nowMs: number): Source | null {
    const samples = this.#samples.get(keyOf(deviceId, kind)) ?? [];
    if ((samples.at(-1)?.atMs ?? Number.NEGATIVE_INFINITY) < sinceMs) return null;
    const from = samples.findIndex(({ atMs }) => atMs >= nowMs - LOOK_BACK_MS);
    return new Source(deviceId, kind, samples.slice(Math.max(0, from)));
  }
}

/** Twice the three minutes that the checks look back, at 1 Hz. */
const MAX_SAMPLES = 400;

function keyOf(deviceId: string, kind: AssetKind): string {
  return `${kind} ${deviceId}`;
}

type Numbers = Partial<Record<PointName, number | null>>;

function numbersByKind(readings: readonly Reading[]): ReadonlyMap<AssetKind, Numbers> {
  const kinds = new Map<AssetKind, Numbers>();
  for (const { point, value } of readings) {
    if (POINT_UNITS[point] === "") continue;
    const prefix = point.slice(0, point.indexOf("."));
    const kind = ASSET_KINDS.find((each) => each === prefix);
    if (kind === undefined) continue;
    const values = kinds.get(kind) ?? {};
    values[point] = typeof value === "number" ? value : null;
    kinds.set(kind, values);
  }
  return kinds;
}
