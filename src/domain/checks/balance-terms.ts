/** The powers of a house as terms of a balance: household consumption = grid + solar panels − battery − chargers. */
import type { PointName } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";
import { POWERS, resample, resampleKnown, type Source } from "./house-history.ts";

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
  const sums = new Array<number>(terms[0]?.values.length ?? 0).fill(0);
  for (const { weight, values } of terms) {
    for (let index = 0; index < sums.length; index++) sums[index] = (sums[index] ?? 0) + weight * (values[index] ?? 0);
  }
  return sums;
}

/** The sum of terms that many costs have in common. */
export interface CommonTerms {
  readonly consumption: readonly number[];
  /** Power of inverters and chargers in the wrong direction, summed over the instants, W. */
  readonly reversedW: number;
}

/** Sums terms once for several calls of `costWith`. */
export function commonOf(terms: readonly Term[]): CommonTerms {
  return { consumption: balanceOf(terms), reversedW: terms.reduce((sum, term) => sum + reversedOf(term), 0) };
}

/** Returns how implausible the terms are, W: how much the consumption varies, and how far it is below 0 or too high. */
export function costOf(terms: readonly Term[]): number {
  const { consumption, reversedW } = commonOf(terms);
  return costOfConsumption(consumption.length, (index) => consumption[index] ?? 0, reversedW);
}

/** Returns what `costOf` returns for the common terms and one or two more. */
export function costWith({ consumption, reversedW }: CommonTerms, first: Term, second?: Term): number {
  const [weight, others] = [second?.weight ?? 0, second?.values ?? first.values];
  return costOfConsumption(
    first.values.length,
    (index) => (consumption[index] ?? 0) + (first.weight * (first.values[index] ?? 0) + weight * (others[index] ?? 0)),
    reversedW + reversedOf(first) + (second === undefined ? 0 : reversedOf(second)),
  );
}

/** Makes no list: it runs for each pair of meters in a house. */
function costOfConsumption(length: number, consumptionAt: (index: number) => number, reversedW: number): number {
  let [below, above, varied] = [0, 0, 0];
  let before = Number.NaN;
  for (let index = 0; index < length; index += 1) {
    const value = consumptionAt(index);
    below += Math.max(0, -value - NEGATIVE_TOLERANCE_W);
    above += Math.max(0, value - MAX_CONSUMPTION_W);
    if (index > 0) varied += Math.abs(value - before);
    before = value;
  }
  // One second of an impossible power counts as much as a tenth of a change by that power.
  return varied + (below + above + reversedW) / 10;
}

function reversedOf({ kind, values }: Term): number {
  if (kind !== "inverter" && kind !== "charger") return 0;
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) {
    sum += Math.max(0, -(values[index] ?? 0) - NEGATIVE_TOLERANCE_W);
  }
  return sum;
}

/** Multiplies each power by a factor. */
export function times(values: readonly number[], factor: number): readonly number[] {
  return values.map((value) => factor * value);
}

/** Adds up rows of powers, instant by instant. */
export function sumOfRows(rows: readonly (readonly number[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, index) => rows.reduce((sum, row) => sum + (row[index] ?? 0), 0));
}
