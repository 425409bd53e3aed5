/** Recognizes the grid meter: its power follows chargers and batteries, and that of solar panels never does. */
import { type Term, termsOf } from "./balance-terms.ts";
import type { Finding } from "./finding.ts";
import type { Source } from "./house-history.ts";
import { measured, watts } from "./measured-text.ts";

/** A change of a charger's power that is used, W, and what of it the battery and solar panels must leave for the grid. */
const STEP_W = 1_500;
const LEFT_W = 1_500;
/** The grid may differ from that by this fraction, because the consumption of the household changes too. */
const OFF_PART = 0.3;

/** How a device's power follows the changes of the chargers. */
export interface Following {
  readonly follows: boolean;
  /** The largest change that was left for the grid, and the change of the device's power at that time, W. */
  readonly leftW: number;
  readonly movedW: number;
}

/** Returns how a device follows the chargers; `null` if no charger changed enough. */
export function followingOf(term: Term, others: readonly Term[]): Following | null {
  if (!others.some(({ kind }) => kind === "charger")) return null;
  const demand = others.filter(({ kind }) => kind !== "meter");
  const steps = term.values.flatMap((value, index) => {
    if (index === 0) return [];
    const change = (each: Term): number => (each.values[index] ?? 0) - (each.values[index - 1] ?? 0);
    const carW = demand.filter(({ kind }) => kind === "charger").reduce((sum, each) => sum + change(each), 0);
    const leftW = demand.reduce((sum, each) => sum - each.weight * change(each), 0);
    if (Math.abs(carW) < STEP_W || Math.abs(leftW) < LEFT_W) return [];
    return [{ leftW, movedW: value - (term.values[index - 1] ?? 0) }];
  });
  const [largest] = steps.toSorted((a, b) => Math.abs(b.leftW) - Math.abs(a.leftW));
  if (largest === undefined) return null;
  const follows = steps.every(({ leftW, movedW }) => Math.abs(movedW - leftW) <= OFF_PART * Math.abs(leftW));
  return { follows, ...largest };
}

/** Finds an inverter that is really the grid meter. */
export function checkRoles(sources: readonly Source[], fromMs: number, toMs: number): readonly Finding[] {
  // Nothing can follow a charger where there is none.
  if (!sources.some(({ kind }) => kind === "charger")) return [];
  const terms = termsOf(sources, fromMs, toMs);
  const followings = terms
    .filter(({ kind }) => kind === "inverter" || kind === "meter")
    .map((term) => ({
      term,
      following: followingOf(
        term,
        terms.filter((each) => each !== term),
      ),
    }));
  const isMetered = followings.some(({ term, following }) => term.kind === "meter" && following?.follows === true);
  const [found, another] = followings.filter(({ term, following }) => term.kind === "inverter" && following?.follows);
  if (isMetered || found?.following == null || another !== undefined) return [];
  const { deviceId, kind: assetKind } = found.term.source;
  const { leftW, movedW } = found.following;
  const against = terms.find(({ kind }) => kind === "charger")?.source.deviceId ?? null;
  const what = measured("role", { moved: watts(movedW), left: watts(leftW) });
  return [{ check: "role", deviceId, assetKind, against, ...what, fix: null }];
}
