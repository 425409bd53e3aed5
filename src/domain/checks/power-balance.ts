/**
 * Checks the balance of a house: household consumption = grid + solar panels − battery − charger. The consumption does not
 * depend on the other devices, so the interpretation under which it varies least is the right one. A wrong sign, factor or
 * role adds a multiple of a device's changes to it.
 */
import { type Hypothesis, hypothesesFor } from "./balance-hypotheses.ts";
import {
  balanceOf,
  commonOf,
  costOf,
  costWith,
  NEGATIVE_TOLERANCE_W,
  type Term,
  times,
  withTerm,
} from "./balance-terms.ts";
import type { Finding } from "./finding.ts";
import type { Source } from "./house-history.ts";
import { measured, watts } from "./measured-text.ts";
import { followingOf } from "./role-check.ts";

/** Number of instants that is needed for a result. */
const MIN_INSTANTS = 20;
/** A hypothesis has to lower the variation by this, W; noise and late polls cause less. */
const MIN_GAIN_W = 1_500;
/** A hypothesis has to lower the variation at least to this fraction. */
const MAX_REMAINING = 0.6;

/** Finds wrong signs, factors and roles. Without enough readings, or without changes in the house, it finds nothing. */
export function checkBalance(house: readonly Term[]): readonly Finding[] {
  const { terms, asides } = withOneMeter(house);
  const meter = terms.find(({ kind }) => kind === "meter");
  if (meter === undefined || terms.length + asides.length < 2 || meter.values.length < MIN_INSTANTS) return [];
  const asRead = costOf(terms);
  if (asRead < MIN_GAIN_W) return unexplained(terms, meter);
  const judged = hypothesesFor(terms, asides)
    .map((hypothesis) => ({ hypothesis, cost: costOf(hypothesis.terms) }))
    .sort((a, b) => a.cost - b.cost);
  const [best] = judged;
  if (best === undefined) return [];
  const isBetter = asRead - best.cost >= MIN_GAIN_W && best.cost <= MAX_REMAINING * asRead;
  if (isBetter) return isAmbiguous(judged) ? [] : [best.hypothesis.finding(asRead, best.cost)];
  return unexplained(terms, meter);
}

/** Returns true if the balance of the house shows that a device's power is right and not wrong by the factor. */
export function isPowerSure(house: readonly Term[], doubted: Source, factor: number): boolean {
  const { terms } = withOneMeter(house);
  const term = terms.find(({ source }) => source === doubted);
  if (term === undefined || terms.length < 2 || term.values.length < MIN_INSTANTS) return false;
  const asRead = costOf(terms);
  const otherwise = costOf(withTerm(terms, term, { values: times(term.values, factor) }));
  return otherwise - asRead >= MIN_GAIN_W && asRead <= MAX_REMAINING * otherwise;
}

/**
 * Chooses the grid meter: the one that follows the chargers, else the one under which the consumption varies least. The
 * other meters, `asides`, measure a part of the household.
 */
function withOneMeter(terms: readonly Term[]): { readonly terms: readonly Term[]; readonly asides: readonly Term[] } {
  const meters = terms.filter(({ kind }) => kind === "meter");
  if (meters.length < 2) return { terms, asides: [] };
  const rest = terms.filter(({ kind }) => kind !== "meter");
  const followers = meters.filter((meter) => followingOf(meter, rest)?.follows === true);
  const common = commonOf(rest);
  const asPanels = new Map(meters.map((meter): [Term, Term] => [meter, { ...meter, kind: "inverter", weight: 1 }]));
  const [best] = (followers.length === 1 ? followers : meters)
    .map((meter) => {
      let cost = costWith(common, meter);
      for (const [aside, panels] of asPanels) {
        if (aside !== meter) cost = Math.min(cost, costWith(common, meter, panels));
      }
      return { meter, cost };
    })
    .sort((a, b) => a.cost - b.cost);
  if (best === undefined) return { terms, asides: [] };
  return { terms: [best.meter, ...rest], asides: meters.filter((each) => each !== best.meter) };
}

/** Returns true if two hypotheses are about as good: then nothing is reported until the devices change differently. */
function isAmbiguous(judged: readonly { readonly hypothesis: Hypothesis; readonly cost: number }[]): boolean {
  const [best, second] = judged;
  return best !== undefined && second !== undefined && second.cost < 1.25 * best.cost + 300;
}

/** Reports a household that seems to produce power all the time, which no hypothesis about one device explains. */
function unexplained(terms: readonly Term[], meter: Term): readonly Finding[] {
  const consumption = [...balanceOf(terms)].sort((a, b) => a - b);
  const median = consumption[Math.floor(consumption.length / 2)] ?? 0;
  const scale = Math.max(...terms.map(({ values }) => Math.max(...values.map(Math.abs))));
  const limit = Math.max(NEGATIVE_TOLERANCE_W, 0.05 * scale);
  const high = consumption[Math.floor(consumption.length * 0.9)] ?? 0;
  if (median >= -limit || high >= 0) return [];
  const what = measured("negative", { power: watts(median) });
  const { deviceId, kind } = meter.source;
  return [{ check: "balance", deviceId, assetKind: kind, against: null, ...what, fix: null }];
}
