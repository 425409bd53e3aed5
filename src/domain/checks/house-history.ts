import type { PointName } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";

/** What a device told at an instant: the numbers only; null where it could not tell. */
export interface Sample {
  /** Monotonic ms at which it was asked. */
  readonly atMs: number;
  /** How much later it may have been measured, ms: a device that is asked value by value takes seconds. */
  readonly tookMs?: number;
  readonly values: Readonly<Partial<Record<PointName, number | null>>>;
}

/** A value with its instant, monotonic ms. */
export interface Told {
  readonly atMs: number;
  readonly tookMs: number;
  readonly value: number;
}

/** One kind of asset of one device, with what it told lately, oldest first. */
export class Source {
  readonly deviceId: string;
  readonly kind: AssetKind;
  readonly samples: readonly Sample[];
  readonly #series = new Map<PointName, readonly Told[]>();

  constructor(deviceId: string, kind: AssetKind, samples: readonly Sample[]) {
    this.deviceId = deviceId;
    this.kind = kind;
    this.samples = samples;
  }

  /** The values that it told of a point; worked out once a look. */
  series(point: PointName): readonly Told[] {
    const known = this.#series.get(point);
    if (known !== undefined) return known;
    const series = this.samples.flatMap(({ atMs, tookMs = 0, values }) => {
      const value = values[point];
      return value === undefined || value === null ? [] : [{ atMs, tookMs, value }];
    });
    this.#series.set(point, series);
    return series;
  }
}

/** The power of each kind that a house's balance is made of, W. */
export const POWERS: Readonly<Partial<Record<AssetKind, PointName>>> = {
  meter: "meter.power",
  inverter: "inverter.power",
  battery: "battery.power",
  charger: "charger.power",
};

/** How old a value may be to stand for an instant, ms: three polls of the usual slower class. */
export const STANDS_FOR_MS = 15_000;

/** Two values as near as this are one: what lies between them did not move. W, and in parts of the largest value. */
const SAME_W = 100;
const SAME_PART = 0.05;

/** A point of a source at each instant of a raster; null where nothing that is young enough was told. */
export function resample(source: Source, point: PointName, raster: readonly number[]): readonly (number | null)[] {
  return walk(source, point, raster, (last, _next, atMs) => atMs - last.atMs <= STANDS_FOR_MS);
}

/**
 * The same, of a power, for comparing it with others: null also where it was read more than a step ago and had changed at
 * the next reading, or where reading it took longer, because nobody knows when. A device that is read seldom or slowly would
 * seem to move after the others, or before them.
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
  holds: (last: Told, next: Told | undefined, atMs: number) => boolean,
): readonly (number | null)[] {
  const told = source.series(point);
  let next = 0;
  return raster.map((atMs) => {
    while (next < told.length && (told[next]?.atMs ?? 0) <= atMs) next += 1;
    const last = told[next - 1];
    return last !== undefined && holds(last, told[next], atMs) ? last.value : null;
  });
}

/** How much a series moves: the sum of its steps, whatever their direction. */
export function variation(values: readonly number[]): number {
  let sum = 0;
  for (let index = 1; index < values.length; index++) {
    sum += Math.abs((values[index] ?? 0) - (values[index - 1] ?? 0));
  }
  return sum;
}

/** What panels give less what batteries and chargers take, W, at instants; null where one of them is not known. */
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

/** What a source told of a point nearest to an instant; null where that was too long before or after. */
export function nearest(source: Source, point: PointName, raster: readonly number[]): readonly (number | null)[] {
  const told = source.series(point);
  let at = 0;
  return raster.map((atMs) => {
    const distance = (index: number): number => Math.abs((told[index]?.atMs ?? Number.POSITIVE_INFINITY) - atMs);
    while (at + 1 < told.length && distance(at + 1) <= distance(at)) at += 1;
    return distance(at) <= STANDS_FOR_MS ? (told[at]?.value ?? null) : null;
  });
}
