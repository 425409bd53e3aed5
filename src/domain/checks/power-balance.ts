/**
 * The house as a balance: what the household uses is grid + panels − battery − charger. It does not know of the others'
 * changes, so the reading of the devices that makes it move least is the right one. A sign, a factor or a role that is
 * wrong puts twice, ten times or all of a device's changes into it.
 */
import { type Reading, readingsOf } from "./balance-readings.ts";
import { balanceOf, costOf, NEGATIVE_TOLERANCE_W, type Term, termsOf, times, withTerm } from "./balance-terms.ts";
import { type Finding, watts } from "./finding.ts";
import type { Source } from "./house-history.ts";
import { followingOf } from "./role-check.ts";

/** Fewer instants say nothing. */
const MIN_INSTANTS = 20;
/** What another reading of a device has to gain before it counts, W of movement; noise and late polls are below. */
const MIN_GAIN_W = 1_500;
/** What remains of the movement, at most, when a reading is right. */
const MAX_REMAINING = 0.6;

/** What the balance says about signs, factors and roles. Null sources, gaps and a calm house say nothing. */
export function checkBalance(sources: readonly Source[], fromMs: number, toMs: number): readonly Finding[] {
  const { terms, asides } = withOneMeter(termsOf(sources, fromMs, toMs));
  const meter = terms.find(({ kind }) => kind === "meter");
  if (meter === undefined || terms.length + asides.length < 2 || meter.values.length < MIN_INSTANTS) return [];
  const asRead = costOf(terms);
  if (asRead < MIN_GAIN_W) return unexplained(terms, meter);
  const judged = readingsOf(terms, asides)
    .map((reading) => ({ reading, cost: costOf(reading.terms) }))
    .sort((a, b) => a.cost - b.cost);
  const [best] = judged;
  if (best === undefined) return [];
  const isBetter = asRead - best.cost >= MIN_GAIN_W && best.cost <= MAX_REMAINING * asRead;
  if (isBetter) return isAmbiguous(judged) ? [] : [best.reading.tell(asRead, best.cost)];
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
  const { terms } = withOneMeter(termsOf(sources, fromMs, toMs));
  const term = terms.find(({ source }) => source === doubted);
  if (term === undefined || terms.length < 2 || term.values.length < MIN_INSTANTS) return false;
  const asRead = costOf(terms);
  const otherwise = costOf(withTerm(terms, term, { values: times(term.values, factor) }));
  return otherwise - asRead >= MIN_GAIN_W && asRead <= MAX_REMAINING * otherwise;
}

/**
 * The grid has one meter: the one that follows what chargers draw, or else that with which the household moves least. What
 * others measure is a part of the household.
 */
function withOneMeter(terms: readonly Term[]): { readonly terms: readonly Term[]; readonly asides: readonly Term[] } {
  const meters = terms.filter(({ kind }) => kind === "meter");
  if (meters.length < 2) return { terms, asides: [] };
  const rest = terms.filter(({ kind }) => kind !== "meter");
  const followers = meters.filter((meter) => followingOf(meter, rest)?.follows === true);
  const [best] = (followers.length === 1 ? followers : meters)
    .map((meter) => {
      const asides = meters.filter((each) => each !== meter);
      const own = [meter, ...rest];
      const asPanels = asides.map((aside) => costOf([...own, { ...aside, kind: "inverter", weight: 1 }]));
      return { terms: own, asides, cost: Math.min(costOf(own), ...asPanels) };
    })
    .sort((a, b) => a.cost - b.cost);
  return best ?? { terms, asides: [] };
}

/** Two readings that explain it about as well: nobody is blamed until the devices move differently. */
function isAmbiguous(judged: readonly { readonly reading: Reading; readonly cost: number }[]): boolean {
  const [best, second] = judged;
  return best !== undefined && second !== undefined && second.cost < 1.25 * best.cost + 300;
}

/** A household that gives power all the time, which no other reading of one device explains. */
function unexplained(terms: readonly Term[], meter: Term): readonly Finding[] {
  const use = [...balanceOf(terms)].sort((a, b) => a - b);
  const median = use[Math.floor(use.length / 2)] ?? 0;
  const scale = Math.max(...terms.map(({ values }) => Math.max(...values.map(Math.abs))));
  const limit = Math.max(NEGATIVE_TOLERANCE_W, 0.05 * scale);
  const high = use[Math.floor(use.length * 0.9)] ?? 0;
  if (median >= -limit || high >= 0) return [];
  const measured = `Grid, panels, battery and chargers together leave the household ${watts(median)}, which is less than nothing.`;
  const { deviceId, kind } = meter.source;
  return [{ check: "balance", deviceId, assetKind: kind, against: null, measured, fix: null }];
}
