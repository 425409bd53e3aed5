/** Calculates the present powers of a house from the readings of its devices. */
import type { HemKind } from "./hem-views.ts";

/** A power that one device reports for a kind of asset or for the load. */
export interface PowerView {
  readonly kind: HemKind | "load";
  /** Precedence as in `RankedRows`: the lowest rank counts first. */
  readonly rank: number;
  /** W, with the sign of the kind's point; `null` if the device does not answer or does not report it now. */
  readonly powerW: number | null;
}

/** The powers of a house, W; `null` where they are not known now. */
export interface HousePower {
  /** Positive on import. */
  readonly gridW: number | null;
  /** Positive while solar panels produce. */
  readonly generationW: number | null;
  /** Positive while batteries charge. */
  readonly batteryW: number | null;
  /** Consumption of the whole house with its chargers; never negative. */
  readonly loadW: number | null;
  /** Source of `loadW`: an energy manager, or the balance of the other powers; `null` if the load is not known. */
  readonly loadFrom: "manager" | "balance" | null;
}

/** Tolerance for devices that are read one after the other, W and as a fraction of the largest power. */
const APART_W = 150;
const APART_PART = 0.05;

/**
 * Returns the powers of a house. The load comes from an energy manager, else it is grid + generation − battery. A sum with
 * an unknown part is unknown. Many inverters do not answer at night: while `isDark`, that counts as 0.
 */
export function housePower(views: readonly PowerView[], isDark: boolean): HousePower {
  const of = (kind: PowerView["kind"]): readonly PowerView[] => views.filter((view) => view.kind === kind);
  const gridW = sumOf(of("meter"));
  const generationW = sumOf(of("inverter").map((view) => (isDark ? { ...view, powerW: view.powerW ?? 0 } : view)));
  const batteryW = sumOf(of("battery"));
  const reported = sumOf(of("load").filter(({ powerW }) => powerW === null || powerW >= 0));
  const balance =
    gridW === null
      ? null
      : plausible([gridW, orNone(of("inverter"), generationW), negative(orNone(of("battery"), batteryW))]);
  const loadW = reported ?? balance;
  return {
    gridW,
    generationW,
    batteryW,
    loadW,
    loadFrom: loadW === null ? null : reported === null ? "balance" : "manager",
  };
}

/** Adds up the powers of the lowest rank without an unknown one; `null` if there is none. */
function sumOf(views: readonly PowerView[]): number | null {
  const ranked = [...Map.groupBy(views, ({ rank }) => rank)].sort(([a], [b]) => a - b);
  for (const [, ofRank] of ranked) {
    const powers = ofRank.map(({ powerW }) => powerW);
    if (powers.every((power) => power !== null)) return powers.reduce((sum, power) => sum + power, 0);
  }
  return null;
}

/** Returns 0 for a house without devices of the kind; otherwise the power, which may be `null`. */
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
