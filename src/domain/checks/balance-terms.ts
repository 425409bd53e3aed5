/** The powers of a house as terms of a balance: household consumption = grid + solar panels − battery − chargers. */
import type { PointName } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";
import { POWERS, resample, resampleKnown, type Source, variation } from "./house-history.ts";

/** The sign with which the power of each kind counts. */
const WEIGHTS: Partial<Readonly<Record<AssetKind, number>>> = { meter: 1, inverter: 1, battery: -1, charger: -1 };
const LINES = ["l1", "l2", "l3"] as const;
const STEP_MS = 1_000;
/** Highest consumption of a household without its chargers and battery, W. */
const MAX_CONSUMPTION_W = 25_000;
/** A household never produces power; a consumption down to minus this counts as an error of the meters, W. */
export const NEGATIVE_TOLERANCE_W = 150;

/** One device's power at the instants at which the power of every device is known. */
export interface Term {
  readonly source: Source;
  /** The kind that the device counts as. */
  readonly kind: AssetKind;
  readonly weight: number;
  /** Power at each instant, W. */
  readonly values: readonly number[];
  /** Power by phase and instant, W; `null` unless it is a meter that reports it. */
  readonly phases: readonly (readonly number[])[] | null;
}

/** Returns the terms of a house between two instants, monotonic ms, one value a second. */
export function termsOf(sources: readonly Source[], fromMs: number, toMs: number): readonly Term[] {
  const raster: number[] = [];
  for (let atMs = fromMs; atMs <= toMs; atMs += STEP_MS) raster.push(atMs);
  const raw = sources.flatMap((source) => {
    const [weight, point] = [WEIGHTS[source.kind], POWERS[source.kind]];
    return weight === undefined || point === undefined
      ? []
      : [{ source, weight, values: resampleKnown(source, point, raster, STEP_MS) }];
  });
  // A source without any value is left out; of the others, only instants count at which all have a value.
  const known = raw.filter(({ values }) => values.some((value) => value !== null));
  const whole = raster.map((_, index) => known.every(({ values }) => values[index] !== null));
  return known.map(({ source, weight, values }) => ({
    source,
    kind: source.kind,
    weight,
    values: values.filter((value, index): value is number => whole[index] === true && value !== null),
    phases: phasesOf(source, raster, whole),
  }));
}

function phasesOf(
  source: Source,
  raster: readonly number[],
  whole: readonly boolean[],
): readonly (readonly number[])[] | null {
  if (source.kind !== "meter") return null;
  const rows = LINES.map((line) => {
    const values = resample(source, `meter.power.${line}` satisfies PointName, raster);
    return values.filter((_, index) => whole[index] === true);
  });
  const known = rows.map((row) => row.filter((value): value is number => value !== null));
  return known.every((row, index) => row.length > 0 && row.length === rows[index]?.length) ? known : null;
}

/** Returns the terms with one of them changed. */
export function withTerm(terms: readonly Term[], term: Term, change: Partial<Term>): readonly Term[] {
  return terms.map((each) => (each === term ? { ...term, ...change } : each));
}

/** Returns the household's consumption at each instant, W. */
export function balanceOf(terms: readonly Term[]): readonly number[] {
  const length = terms[0]?.values.length ?? 0;
  return Array.from({ length }, (_, index) =>
    terms.reduce((sum, { weight, values }) => sum + weight * (values[index] ?? 0), 0),
  );
}

/** Returns how implausible the terms are, W: how much the consumption varies, and how far it is below 0 or too high. */
export function costOf(terms: readonly Term[]): number {
  const consumption = balanceOf(terms);
  const below = consumption.reduce((sum, value) => sum + Math.max(0, -value - NEGATIVE_TOLERANCE_W), 0);
  const reversed = terms.reduce((sum, { kind, values }) => {
    if (kind !== "inverter" && kind !== "charger") return sum;
    return sum + values.reduce((part, value) => part + Math.max(0, -value - NEGATIVE_TOLERANCE_W), 0);
  }, 0);
  const above = consumption.reduce((sum, value) => sum + Math.max(0, value - MAX_CONSUMPTION_W), 0);
  // One second of an impossible power counts as much as a tenth of a change by that power.
  return variation(consumption) + (below + above + reversed) / 10;
}

/** Multiplies each power by a factor. */
export function times(values: readonly number[], factor: number): readonly number[] {
  return values.map((value) => factor * value);
}

/** Adds up rows of powers, instant by instant. */
export function sumOfRows(rows: readonly (readonly number[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, index) => rows.reduce((sum, row) => sum + (row[index] ?? 0), 0));
}
