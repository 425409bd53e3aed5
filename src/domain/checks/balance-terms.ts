/** The powers of a house as terms of a balance: what the household uses is grid + panels − battery − chargers. */
import type { PointName } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";
import { POWERS, resample, resampleKnown, type Source, variation } from "./house-history.ts";

/** How the power of each kind counts. */
const WEIGHTS: Partial<Readonly<Record<AssetKind, number>>> = { meter: 1, inverter: 1, battery: -1, charger: -1 };
const LINES = ["l1", "l2", "l3"] as const;
const STEP_MS = 1_000;
/** What a household uses at most, W, beside its chargers and battery. */
const MOST_USE_W = 25_000;
/** A household never gives power; so much may be errors of meters, W. */
export const NEGATIVE_TOLERANCE_W = 150;

/** One device's power at the instants at which all are known. */
export interface Term {
  readonly source: Source;
  /** What it counts as. */
  readonly kind: AssetKind;
  readonly weight: number;
  /** W. */
  readonly values: readonly number[];
  /** The same by phase, of a meter that tells it. */
  readonly phases: readonly (readonly number[])[] | null;
}

export function termsOf(sources: readonly Source[], fromMs: number, toMs: number): readonly Term[] {
  const raster: number[] = [];
  for (let atMs = fromMs; atMs <= toMs; atMs += STEP_MS) raster.push(atMs);
  const raw = sources.flatMap((source) => {
    const [weight, point] = [WEIGHTS[source.kind], POWERS[source.kind]];
    return weight === undefined || point === undefined
      ? []
      : [{ source, weight, values: resampleKnown(source, point, raster, STEP_MS) }];
  });
  // A source that tells nothing at all is left out; otherwise only instants count at which all are known.
  const telling = raw.filter(({ values }) => values.some((value) => value !== null));
  const whole = raster.map((_, index) => telling.every(({ values }) => values[index] !== null));
  return telling.map(({ source, weight, values }) => ({
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

/** The terms with one that counts otherwise. */
export function withTerm(terms: readonly Term[], term: Term, change: Partial<Term>): readonly Term[] {
  return terms.map((each) => (each === term ? { ...term, ...change } : each));
}

/** The household's use, W, at each instant. */
export function balanceOf(terms: readonly Term[]): readonly number[] {
  const length = terms[0]?.values.length ?? 0;
  return Array.from({ length }, (_, index) =>
    terms.reduce((sum, { weight, values }) => sum + weight * (values[index] ?? 0), 0),
  );
}

/** W of movement, and of household use below nothing, that a reading of the terms leaves. */
export function costOf(terms: readonly Term[]): number {
  const use = balanceOf(terms);
  const below = use.reduce((sum, value) => sum + Math.max(0, -value - NEGATIVE_TOLERANCE_W), 0);
  const reversed = terms.reduce((sum, { kind, values }) => {
    if (kind !== "inverter" && kind !== "charger") return sum;
    return sum + values.reduce((part, value) => part + Math.max(0, -value - NEGATIVE_TOLERANCE_W), 0);
  }, 0);
  const above = use.reduce((sum, value) => sum + Math.max(0, value - MOST_USE_W), 0);
  // A second of the impossible counts as much as a tenth of a step of its size.
  return variation(use) + (below + above + reversed) / 10;
}

/** A row of powers times a factor. */
export function times(values: readonly number[], factor: number): readonly number[] {
  return values.map((value) => factor * value);
}

/** Rows added up, instant by instant. */
export function sumOfRows(rows: readonly (readonly number[])[]): readonly number[] {
  return (rows[0] ?? []).map((_, index) => rows.reduce((sum, row) => sum + (row[index] ?? 0), 0));
}
