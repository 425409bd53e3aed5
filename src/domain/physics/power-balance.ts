/**
 * The house as a balance: what the household uses is grid + panels − battery − charger. It does not know of the others'
 * changes, so the reading of the devices that makes it move least is the right one. A sign, a factor or a role that is
 * wrong puts twice, ten times or all of a device's changes into it.
 */
import type { PointName } from "../../sdk/points.ts";
import type { AssetKind } from "../asset.ts";
import { type Finding, watts } from "./finding.ts";
import { resampleKnown, type Source, variation } from "./house-history.ts";

/** The power of each kind, and how it counts in the balance. */
const TERMS: Partial<Readonly<Record<AssetKind, { readonly point: PointName; readonly weight: number }>>> = {
  meter: { point: "meter.power", weight: 1 },
  inverter: { point: "inverter.power", weight: 1 },
  battery: { point: "battery.power", weight: -1 },
  charger: { point: "charger.power", weight: -1 },
};

/** Points that turn or scale along with the power. */
const COMPANIONS: Partial<Readonly<Record<AssetKind, readonly PointName[]>>> = {
  meter: ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"],
  inverter: ["inverter.power"],
  battery: ["battery.power"],
  charger: ["charger.power"],
};

const STEP_MS = 1_000;
/** What a house has at most, W: 63 A on three phases. */
const MOST_W = 45_000;
/** What a household uses at most, W, beside its chargers and battery. */
const MOST_USE_W = 25_000;
/** A tenth of less would be nothing, W. */
const TENTH_FROM_W = 3_000;
/** A value in kW that is taken for W stays below, W. */
const LOOKS_LIKE_KW = 60;
/** Fewer instants say nothing. */
const MIN_INSTANTS = 20;
/** What another reading of a device has to gain before it counts, W of movement; noise and late polls are below. */
const MIN_GAIN_W = 1_500;
/** What remains of the movement, at most, when a reading is right. */
const MAX_REMAINING = 0.6;
/** A household never gives power; so much may be errors of meters, W. */
const NEGATIVE_TOLERANCE_W = 150;

interface Term {
  readonly source: Source;
  readonly weight: number;
  readonly values: readonly number[];
}

/** Another way to read one or two terms: the factors that they are multiplied with. */
interface Reading {
  readonly factors: ReadonlyMap<Term, number>;
}

/** What the balance says about signs, factors and roles. Null sources, gaps and a calm house say nothing. */
export function checkBalance(sources: readonly Source[], fromMs: number, toMs: number): readonly Finding[] {
  const terms = termsOf(sources, fromMs, toMs);
  const meter = terms.find(({ source }) => source.kind === "meter");
  if (meter === undefined || terms.length < 2 || meter.values.length < MIN_INSTANTS) return [];
  const asRead = cost(terms, new Map());
  const judged = readingsOf(terms)
    .map((reading) => ({ reading, cost: cost(terms, reading.factors) }))
    .sort((a, b) => a.cost - b.cost);
  const [best] = judged;
  if (best === undefined) return [];
  const isBetter = asRead - best.cost >= MIN_GAIN_W && best.cost <= MAX_REMAINING * asRead;
  if (isBetter) return isAmbiguous(judged) ? [] : [findingOf(best.reading, terms, asRead, best.cost)];
  return unexplained(terms, meter);
}

/**
 * Whether a device's power is right as it is read, against its being so many times larger: true only where the balance of
 * the house can tell.
 */
export function isPowerSure(
  sources: readonly Source[],
  doubted: Source,
  factor: number,
  [fromMs, toMs]: readonly [number, number],
): boolean {
  const terms = termsOf(sources, fromMs, toMs);
  const term = terms.find(({ source }) => source === doubted);
  if (term === undefined || terms.length < 2 || term.values.length < MIN_INSTANTS) return false;
  const asRead = cost(terms, new Map());
  const otherwise = cost(terms, new Map([[term, factor]]));
  return otherwise - asRead >= MIN_GAIN_W && asRead <= MAX_REMAINING * otherwise;
}

function termsOf(sources: readonly Source[], fromMs: number, toMs: number): readonly Term[] {
  const raster: number[] = [];
  for (let atMs = fromMs; atMs <= toMs; atMs += STEP_MS) raster.push(atMs);
  const raw = sources.flatMap((source) => {
    const term = TERMS[source.kind];
    return term === undefined
      ? []
      : [{ source, weight: term.weight, values: resampleKnown(source, term.point, raster, STEP_MS) }];
  });
  // A source that tells nothing at all is left out; otherwise only instants count at which all are known.
  const telling = raw.filter(({ values }) => values.some((value) => value !== null));
  const whole = raster.map((_, index) => telling.every(({ values }) => values[index] !== null));
  return telling.map(({ source, weight, values }) => ({
    source,
    weight,
    values: values.filter((value, index): value is number => whole[index] === true && value !== null),
  }));
}

/** W of movement, and of household use below nothing, that a reading of the terms leaves. */
function cost(terms: readonly Term[], factors: ReadonlyMap<Term, number>): number {
  const use = balance(terms, factors);
  const below = use.reduce((sum, value) => sum + Math.max(0, -value - NEGATIVE_TOLERANCE_W), 0);
  const reversed = terms.reduce((sum, term) => {
    if (term.source.kind !== "inverter" && term.source.kind !== "charger") return sum;
    const factor = factors.get(term) ?? 1;
    return sum + term.values.reduce((part, value) => part + Math.max(0, -value * factor - NEGATIVE_TOLERANCE_W), 0);
  }, 0);
  const above = use.reduce((sum, value) => sum + Math.max(0, value - MOST_USE_W), 0);
  // A second of the impossible counts as much as a tenth of a step of its size.
  return variation(use) + (below + above + reversed) / 10;
}

function balance(terms: readonly Term[], factors: ReadonlyMap<Term, number>): readonly number[] {
  const length = terms[0]?.values.length ?? 0;
  return Array.from({ length }, (_, index) =>
    terms.reduce((sum, term) => sum + term.weight * (factors.get(term) ?? 1) * (term.values[index] ?? 0), 0),
  );
}

function readingsOf(terms: readonly Term[]): readonly Reading[] {
  const moving = terms.filter(({ values }) => variation(values) > 0 || values.some((value) => value !== 0));
  const single = moving.flatMap((term) => factorsFor(term).map((factor) => ({ factors: new Map([[term, factor]]) })));
  const inverter = moving.find(({ source }) => source.kind === "inverter");
  const battery = moving.find(({ source }) => source.kind === "battery");
  if (inverter === undefined || battery === undefined) return single;
  // What is called the panels is the battery, and the other way round.
  return [...single, { factors: new Map([[inverter, -1] as const, [battery, -1] as const]) }];
}

/** A thousandth of a power that a house can have is nothing at all, and would explain any noise. */
function factorsFor({ values }: Term): readonly number[] {
  const most = Math.max(...values.map(Math.abs));
  return [
    -1,
    ...(most >= TENTH_FROM_W ? [0.1] : []),
    ...(most <= MOST_W ? [10] : [0.001]),
    ...(most < LOOKS_LIKE_KW ? [1_000] : []),
  ];
}

/** Two readings that explain it about as well: nobody is blamed until the devices move differently. */
function isAmbiguous(judged: readonly { readonly cost: number }[]): boolean {
  const [best, second] = judged;
  return best !== undefined && second !== undefined && second.cost < 1.25 * best.cost + 300;
}

function findingOf({ factors }: Reading, terms: readonly Term[], before: number, after: number): Finding {
  const [[term, factor] = [terms[0] as Term, 1], other] = [...factors];
  const { deviceId, kind } = term.source;
  const points = COMPANIONS[kind] ?? [];
  const moved = `The household's use, reckoned from all devices, moved by ${watts(before)} in all; `;
  const against = terms.find((each) => each !== term)?.source.deviceId ?? null;
  const base = { deviceId, assetKind: kind, against };
  if (other !== undefined || (factor === -1 && kind === "inverter" && hasBothSigns(term))) {
    const measured = `${moved}read as a battery it moves by ${watts(after)}.`;
    return { ...base, check: "role", measured, fix: null };
  }
  if (factor === -1) {
    const measured = `${moved}with the power counted in the other direction it moves by ${watts(after)}.`;
    return { ...base, check: "sign", measured, fix: { kind: "invert", deviceId, points } };
  }
  const measured = `${moved}with the power times ${factor} it moves by ${watts(after)}.`;
  return { ...base, check: "scale", measured, fix: { kind: "scale", deviceId, points, factor } };
}

function hasBothSigns({ values }: Term): boolean {
  return values.some((value) => value > NEGATIVE_TOLERANCE_W) && values.some((value) => value < -NEGATIVE_TOLERANCE_W);
}

/** A household that gives power all the time, which no other reading of one device explains. */
function unexplained(terms: readonly Term[], meter: Term): readonly Finding[] {
  const use = [...balance(terms, new Map())].sort((a, b) => a - b);
  const median = use[Math.floor(use.length / 2)] ?? 0;
  const scale = Math.max(...terms.map(({ values }) => Math.max(...values.map(Math.abs))));
  const limit = Math.max(NEGATIVE_TOLERANCE_W, 0.05 * scale);
  const high = use[Math.floor(use.length * 0.9)] ?? 0;
  if (median >= -limit || high >= 0) return [];
  const measured = `Grid, panels, battery and chargers together leave the household ${watts(median)}, which is less than nothing.`;
  const { deviceId, kind } = meter.source;
  return [{ check: "balance", deviceId, assetKind: kind, against: null, measured, fix: null }];
}
