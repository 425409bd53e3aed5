/** What a house uses at this moment, from what its devices tell. */
import type { HemKind } from "./hem-views.ts";

/** What a device tells of a kind, or of the load. */
export interface PowerView {
  readonly kind: HemKind | "load";
  /** As in `RankedRows`. */
  readonly rank: number;
  /** W, with the sign of the kind's point; null: the device is silent, or cannot tell. */
  readonly powerW: number | null;
}

/** The powers of a house, W; null where they cannot be known now. */
export interface HousePower {
  /** Positive is import. */
  readonly gridW: number | null;
  readonly generationW: number | null;
  /** Positive is charging. */
  readonly batteryW: number | null;
  /** All that the house uses, charging vehicles too; never negative. */
  readonly loadW: number | null;
  /** Who says so: an energy manager, or the balance of the others. Null with the load. */
  readonly loadFrom: "manager" | "balance" | null;
}

/** What devices that are read one after the other may be apart, W and in parts of the largest power. */
const APART_W = 150;
const APART_PART = 0.05;

/**
 * The load is what an energy manager says, else grid and generation less what the battery takes. A power of which one
 * part is unknown is unknown as a whole. Panels are silent at night: in the dark that is 0.
 */
export function housePower(views: readonly PowerView[], isDark: boolean): HousePower {
  const of = (kind: PowerView["kind"]): readonly PowerView[] => views.filter((view) => view.kind === kind);
  const gridW = sumOf(of("meter"));
  const generationW = sumOf(of("inverter").map((view) => (isDark ? { ...view, powerW: view.powerW ?? 0 } : view)));
  const batteryW = sumOf(of("battery"));
  const told = sumOf(of("load").filter(({ powerW }) => powerW === null || powerW >= 0));
  const balance =
    gridW === null
      ? null
      : plausible([gridW, orNone(of("inverter"), generationW), negative(orNone(of("battery"), batteryW))]);
  const loadW = told ?? balance;
  return {
    gridW,
    generationW,
    batteryW,
    loadW,
    loadFrom: loadW === null ? null : told === null ? "balance" : "manager",
  };
}

/** Of the lowest rank that knows all of it; null when none does, or none is there. */
function sumOf(views: readonly PowerView[]): number | null {
  const ranks = [...new Set(views.map(({ rank }) => rank))].sort((a, b) => a - b);
  for (const rank of ranks) {
    const powers = views.filter((view) => view.rank === rank).map(({ powerW }) => powerW);
    if (powers.every((power) => power !== null)) return powers.reduce((sum, power) => sum + power, 0);
  }
  return null;
}

/** A house without the devices has 0 of it; with them null stays null. */
function orNone(views: readonly PowerView[], powerW: number | null): number | null {
  return views.length === 0 ? 0 : powerW;
}

function negative(powerW: number | null): number | null {
  return powerW === null ? null : -powerW;
}

function plausible(terms: readonly (number | null)[]): number | null {
  if (!terms.every((term) => term !== null)) return null;
  const sum = terms.reduce((all, term) => all + term, 0);
  const apartW = Math.max(APART_W, APART_PART * Math.max(...terms.map(Math.abs)));
  return sum < -apartW ? null : Math.max(0, sum);
}
