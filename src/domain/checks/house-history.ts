import type { PointName } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";

/** The numbers that a device reported at an instant; `null` for a point that it could not report. */
export interface Sample {
  /** When the poll began, monotonic ms. */
  readonly atMs: number;
  /** How much later the values may have been measured, ms: a device that is read value by value takes seconds. */
  readonly tookMs?: number;
  readonly values: Readonly<Partial<Record<PointName, number | null>>>;
}

/** A value of a point with the time of its reading. */
export interface TimedValue {
  readonly atMs: number;
  readonly tookMs: number;
  readonly value: number;
}

/** One kind of asset of one device, with its latest samples, oldest first. */
export class Source {
  readonly deviceId: string;
  readonly kind: AssetKind;
  readonly samples: readonly Sample[];
  readonly #series = new Map<PointName, readonly TimedValue[]>();

  constructor(deviceId: string, kind: AssetKind, samples: readonly Sample[]) {
    this.deviceId = deviceId;
    this.kind = kind;
    this.samples = samples;
  }

  /** Returns the values of a point, oldest first, without nulls. The result is cached. */
  series(point: PointName): readonly TimedValue[] {
    const known = this.#series.get(point);
    if (known !== undefined) return known;
    const series: TimedValue[] = [];
    for (const { atMs, tookMs = 0, values } of this.samples) {
      const value = values[point];
      if (value !== undefined && value !== null) series.push({ atMs, tookMs, value });
    }
    this.#series.set(point, series);
    return series;
  }
}

/** The point with the power of each kind in the balance of a house, W. */
export const POWERS: Readonly<Partial<Record<AssetKind, PointName>>> = {
  meter: "meter.power",
  inverter: "inverter.power",
  battery: "battery.power",
  charger: "charger.power",
};

/** How long a value counts after its reading, ms: three polls of the slower class. */
export const STANDS_FOR_MS = 15_000;

/** Two powers count as equal within this difference, W, or within this fraction of the largest value. */
const SAME_W = 100;
const SAME_PART = 0.05;

/** Returns a point's value at each instant of the raster (monotonic ms); `null` where the last reading is too old. */
export function resample(source: Source, point: PointName, raster: readonly number[]): readonly (number | null)[] {
  return walk(source, point, raster, (last, _next, atMs) => atMs - last.atMs <= STANDS_FOR_MS);
}

/**
 * Returns a power at each instant of the raster for a comparison with other devices. It is also `null` where the time of a
 * change is not known: where the last reading is more than a step old and the next one differs, or while a slow reading was
 * under way. Otherwise a device that is read rarely or slowly would seem to change later or earlier than the others.
 */
export function resampleKnown(
  source: Source,
  point: PointName,
  raster: readonly number[],
  stepMs: number,
): readonly (number | null)[] {
  const largest = Math.max(...source.series(point).map(({ value }) => Math.abs(value)));
  const same = Math.min(SAME_W, SAME_PART * largest);
  return walk(source, point, raster, (last, next, atMs) => {
    const isSlow = last.tookMs >= stepMs / 2;
    if (isSlow && atMs < last.atMs + last.tookMs) return false;
    if (!isSlow && atMs - last.atMs < stepMs) return true;
    return next !== undefined && next.atMs - last.atMs <= STANDS_FOR_MS && Math.abs(next.value - last.value) <= same;
  });
}

function walk(
  source: Source,
  point: PointName,
  raster: readonly number[],
  holds: (last: TimedValue, next: TimedValue | undefined, atMs: number) => boolean,
): readonly (number | null)[] {
  const series = source.series(point);
  let next = 0;
  return raster.map((atMs) => {
    while (next < series.length && (series[next]?.atMs ?? 0) <= atMs) next += 1;
    const last = series[next - 1];
    return last !== undefined && holds(last, series[next], atMs) ? last.value : null;
  });
}

/** Returns the total variation of a series: the sum of the absolute differences of neighbours. */
export function variation(values: readonly number[]): number {
  let sum = 0;
  for (let index = 1; index < values.length; index++) {
    sum += Math.abs((values[index] ?? 0) - (values[index - 1] ?? 0));
  }
  return sum;
}

/** Returns production minus the power into batteries and chargers at each instant, W; `null` where one is not known. */
export function netOf(sources: readonly Source[], raster: readonly number[]): readonly (number | null)[] {
  const terms = sources.flatMap((source) => {
    const point = POWERS[source.kind];
    if (point === undefined || source.series(point).length === 0) return [];
    return [{ sign: source.kind === "inverter" ? 1 : -1, values: resample(source, point, raster) }];
  });
  return raster.map((_, index) =>
    terms.reduce<number | null>((sum, { sign, values }) => {
      const value = values[index] ?? null;
      return sum === null || value === null ? null : sum + sign * value;
    }, 0),
  );
}

/** Returns the value that was read nearest to each instant, before or after it; `null` if that is too far away. */
export function nearest(source: Source, point: PointName, raster: readonly number[]): readonly (number | null)[] {
  const series = source.series(point);
  let at = 0;
  return raster.map((atMs) => {
    const distance = (index: number): number => Math.abs((series[index]?.atMs ?? Number.POSITIVE_INFINITY) - atMs);
    while (at + 1 < series.length && distance(at + 1) <= distance(at)) at += 1;
    return distance(at) <= STANDS_FOR_MS ? (series[at]?.value ?? null) : null;
  });
}
