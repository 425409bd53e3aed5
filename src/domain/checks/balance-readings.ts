/** The other ways in which one or two devices of a house may have to be read, and what each would say of them. */
import type { PointName } from "../../points/points.ts";
import type { AssetKind } from "../assets/asset.ts";
import { NEGATIVE_TOLERANCE_W, type Term, times, withTerm } from "./balance-terms.ts";
import { clampReading } from "./clamp-check.ts";
import { type CheckKind, type Finding, type Fix, watts } from "./finding.ts";
import { variation } from "./house-history.ts";

/** Points that turn or scale along with the power. */
const COMPANIONS: Partial<Readonly<Record<AssetKind, readonly PointName[]>>> = {
  meter: ["meter.power", "meter.power.l1", "meter.power.l2", "meter.power.l3"],
  inverter: ["inverter.power"],
  battery: ["battery.power"],
  charger: ["charger.power"],
};
/** What a house has at most, W: 63 A on three phases. */
const MOST_W = 45_000;
/** A tenth of less would be nothing, W. */
const TENTH_FROM_W = 3_000;
/** A value in kW that is taken for W stays below, W. */
const LOOKS_LIKE_KW = 60;

/** A house with one or two of its terms read otherwise. */
export interface Reading {
  readonly terms: readonly Term[];
  /** What it would mean, with the movement of the household's use before and after, W. */
  tell(beforeW: number, afterW: number): Finding;
}

interface Claim {
  readonly check: CheckKind;
  readonly why: string;
  readonly fix: Fix | null;
}

/** All readings of a house with one grid meter; the other meters that it has, `asides`, are no part of the balance. */
export function readingsOf(terms: readonly Term[], asides: readonly Term[]): readonly Reading[] {
  const moving = terms.filter(({ values }) => variation(values) > 0 || values.some((value) => value !== 0));
  return [
    ...moving.flatMap((term) => factorsFor(term).map((factor) => scaled(terms, term, factor))),
    ...exchanged(terms, moving),
    ...clamps(terms, moving),
    ...moving.flatMap((term) => unseen(terms, term)),
    ...asides.flatMap((term) => asPanels(terms, term)),
  ];
}

function reading(terms: readonly Term[], term: Term, others: readonly Term[], claim: Claim): Reading {
  const { deviceId, kind } = term.source;
  const against = others.find((each) => each.source !== term.source)?.source.deviceId ?? null;
  return {
    terms,
    tell: (beforeW, afterW) => ({
      check: claim.check,
      deviceId,
      assetKind: kind,
      against,
      measured: `The household's use, reckoned from all devices, moved by ${watts(beforeW)} in all; ${claim.why} it moves by ${watts(afterW)}.`,
      fix: claim.fix,
    }),
  };
}

function scaled(terms: readonly Term[], term: Term, factor: number): Reading {
  const { deviceId } = term.source;
  const points = COMPANIONS[term.kind] ?? [];
  const read = withTerm(terms, term, { values: times(term.values, factor) });
  if (factor === -1 && term.kind === "inverter" && hasBothSigns(term)) {
    return reading(read, term, terms, { check: "role", why: "read as a battery", fix: null });
  }
  if (factor === -1) {
    const fix = { kind: "invert", deviceId, points } as const;
    return reading(read, term, terms, {
      check: "sign",
      why: "with the power counted in the other direction",
      fix,
    });
  }
  const fix = { kind: "scale", deviceId, points, factor } as const;
  return reading(read, term, terms, { check: "scale", why: `with the power times ${factor}`, fix });
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

/** What is called the panels is the battery, and the other way round. */
function exchanged(terms: readonly Term[], moving: readonly Term[]): readonly Reading[] {
  const inverter = moving.find(({ kind }) => kind === "inverter");
  const battery = moving.find(({ kind }) => kind === "battery");
  if (inverter === undefined || battery === undefined) return [];
  const read = withTerm(withTerm(terms, inverter, { values: times(inverter.values, -1) }), battery, {
    values: times(battery.values, -1),
  });
  return [reading(read, inverter, terms, { check: "role", why: "read as a battery", fix: null })];
}

function clamps(terms: readonly Term[], moving: readonly Term[]): readonly Reading[] {
  const meter = moving.find(({ kind }) => kind === "meter");
  if (meter === undefined) return [];
  const mounted = clampReading(
    meter,
    terms.filter((each) => each !== meter),
  );
  if (mounted === null || (mounted.misplaced === null && mounted.turned.length === 0)) return [];
  const read = withTerm(terms, meter, { values: mounted.values });
  const { misplaced, turned: points } = mounted;
  if (misplaced !== null) {
    const why = `if its clamps are not on the phases whose voltages they are reckoned with, and ${misplaced},`;
    return [reading(read, meter, terms, { check: "phase", why, fix: null })];
  }
  const lines = points.map((point) => point.slice(-2).toUpperCase()).join(" and ");
  const fix = { kind: "invert", deviceId: meter.source.deviceId, points } as const;
  return [reading(read, meter, terms, { check: "sign", why: `with ${lines} counted in the other direction`, fix })];
}

/** A charger on the grid's side of the meter. */
function unseen(terms: readonly Term[], term: Term): readonly Reading[] {
  if (term.kind !== "charger") return [];
  const why = "if it is connected where the grid meter does not see it,";
  return [reading(withTerm(terms, term, { weight: 0 }), term, terms, { check: "balance", why, fix: null })];
}

/** Another meter of the house that measures what panels give. */
function asPanels(terms: readonly Term[], aside: Term): readonly Reading[] {
  const panels: Term = { ...aside, kind: "inverter", weight: 1 };
  const claim = { check: "role", why: "with this meter read as that of panels", fix: null } as const;
  return [reading([...terms, panels], aside, terms, claim)];
}

function hasBothSigns({ values }: Term): boolean {
  return values.some((value) => value > NEGATIVE_TOLERANCE_W) && values.some((value) => value < -NEGATIVE_TOLERANCE_W);
}
