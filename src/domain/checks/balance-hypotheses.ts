/** Hypotheses about devices whose values are interpreted wrongly, such as with the wrong sign, factor or role. */
import type { PointName } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";
import { NEGATIVE_TOLERANCE_W, type Term, times, withTerm } from "./balance-terms.ts";
import { bestMounting } from "./clamp-check.ts";
import type { CheckKind, Finding, Fix } from "./finding.ts";
import { variation } from "./house-history.ts";
import { type MeasuredText, measured, watts } from "./measured-text.ts";

/** The points that change sign or scale together with the power. */
const COMPANIONS: Partial<Readonly<Record<AssetKind, readonly PointName[]>>> = {
  meter: ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"],
  inverter: ["inverter.power"],
  battery: ["battery.power"],
  charger: ["charger.power"],
};
/** Highest power of a house, W: 63 A on three phases. */
const MAX_HOUSE_W = 45_000;
/** From this power on a tenth of it is large enough to be compared, W. */
const TENTH_FROM_W = 3_000;
/** A power in kW that is read as W stays below this, W. */
const LOOKS_LIKE_KW = 60;

/** The terms of a house with one or two of them interpreted differently. */
export interface Hypothesis {
  readonly terms: readonly Term[];
  /** Returns the finding, with the variation of the household's consumption before and after, W. */
  finding(beforeW: number, afterW: number): Finding;
}

interface Claim {
  readonly check: CheckKind;
  readonly why: MeasuredText;
  readonly fix: Fix | null;
}

/** Returns all hypotheses for a house with one grid meter. Its other meters, `asides`, are not part of the balance. */
export function hypothesesFor(terms: readonly Term[], asides: readonly Term[]): readonly Hypothesis[] {
  const moving = terms.filter(({ values }) => variation(values) > 0 || values.some((value) => value !== 0));
  return [
    ...moving.flatMap((term) => factorsFor(term).map((factor) => scaled(terms, term, factor))),
    ...exchanged(terms, moving),
    ...clamps(terms, moving),
    ...moving.flatMap((term) => unseen(terms, term)),
    ...asides.flatMap((term) => asPanels(terms, term)),
  ];
}

function hypothesis(terms: readonly Term[], term: Term, others: readonly Term[], claim: Claim): Hypothesis {
  const { deviceId, kind } = term.source;
  const against = others.find((each) => each.source !== term.source)?.source.deviceId ?? null;
  return {
    terms,
    finding: (beforeW, afterW) => ({
      check: claim.check,
      deviceId,
      assetKind: kind,
      against,
      ...measured("balance", { before: watts(beforeW), why: claim.why, after: watts(afterW) }),
      fix: claim.fix,
    }),
  };
}

function scaled(terms: readonly Term[], term: Term, factor: number): Hypothesis {
  const { deviceId } = term.source;
  const points = COMPANIONS[term.kind] ?? [];
  const read = withTerm(terms, term, { values: times(term.values, factor) });
  if (factor === -1 && term.kind === "inverter" && hasBothSigns(term)) {
    return hypothesis(read, term, terms, { check: "role", why: clause("asBattery"), fix: null });
  }
  if (factor === -1) {
    const fix = { kind: "invert", deviceId, points } as const;
    return hypothesis(read, term, terms, {
      check: "sign",
      why: clause("otherDirection"),
      fix,
    });
  }
  const fix = { kind: "scale", deviceId, points, factor } as const;
  return hypothesis(read, term, terms, {
    check: "scale",
    why: clause("multiplied", { factor: { amount: factor, unit: "" } }),
    fix,
  });
}

/** Returns the factors to try. A factor that makes a plausible power negligible is left out: it would explain any noise. */
function factorsFor({ values }: Term): readonly number[] {
  const most = Math.max(...values.map(Math.abs));
  return [
    -1,
    ...(most >= TENTH_FROM_W ? [0.1] : []),
    ...(most <= MAX_HOUSE_W ? [10] : [0.001]),
    ...(most < LOOKS_LIKE_KW ? [1_000] : []),
  ];
}

/** Tries inverter and battery with exchanged roles. */
function exchanged(terms: readonly Term[], moving: readonly Term[]): readonly Hypothesis[] {
  const inverter = moving.find(({ kind }) => kind === "inverter");
  const battery = moving.find(({ kind }) => kind === "battery");
  if (inverter === undefined || battery === undefined) return [];
  const read = withTerm(withTerm(terms, inverter, { values: times(inverter.values, -1) }), battery, {
    values: times(battery.values, -1),
  });
  return [hypothesis(read, inverter, terms, { check: "role", why: clause("asBattery"), fix: null })];
}

function clamps(terms: readonly Term[], moving: readonly Term[]): readonly Hypothesis[] {
  const meter = moving.find(({ kind }) => kind === "meter");
  if (meter === undefined) return [];
  const mounted = bestMounting(
    meter,
    terms.filter((each) => each !== meter),
  );
  if (mounted === null || (mounted.misplaced === null && mounted.reversed.length === 0)) return [];
  const read = withTerm(terms, meter, { values: mounted.values });
  const { misplaced, reversed: points } = mounted;
  if (misplaced !== null) {
    const why = clause("clampsMoved", { misplaced });
    return [hypothesis(read, meter, terms, { check: "phase", why, fix: null })];
  }
  const lines = points.map((point) => point.slice(-2).toUpperCase());
  const fix = { kind: "invert", deviceId: meter.source.deviceId, points } as const;
  return [hypothesis(read, meter, terms, { check: "sign", why: clause("linesTurned", { lines }), fix })];
}

/** Tries a charger as connected on the grid side of the meter. */
function unseen(terms: readonly Term[], term: Term): readonly Hypothesis[] {
  if (term.kind !== "charger") return [];
  const why = clause("unmetered");
  return [hypothesis(withTerm(terms, term, { weight: 0 }), term, terms, { check: "balance", why, fix: null })];
}

/** Tries another meter of the house as the meter of solar panels. */
function asPanels(terms: readonly Term[], aside: Term): readonly Hypothesis[] {
  const panels: Term = { ...aside, kind: "inverter", weight: 1 };
  const claim = { check: "role", why: clause("asPanels"), fix: null } as const;
  return [hypothesis([...terms, panels], aside, terms, claim)];
}

function hasBothSigns({ values }: Term): boolean {
  return values.some((value) => value > NEGATIVE_TOLERANCE_W) && values.some((value) => value < -NEGATIVE_TOLERANCE_W);
}

function clause(key: MeasuredText["key"], values: MeasuredText["values"] = {}): MeasuredText {
  return { key, values };
}
