/** Recognizes the grid meter: its power follows chargers and batteries, and that of solar panels never does. */
import type { Term } from "./balance-terms.ts";
import type { Finding } from "./finding.ts";
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
  const demand = others.filter(({ kind }) => kind !== "meter");
  const chargers = demand.filter(({ kind }) => kind === "charger");
  if (chargers.length === 0) return null;
  const steps: { leftW: number; movedW: number }[] = [];
  for (let index = 1; index < term.values.length; index += 1) {
    const change = ({ values }: Term): number => (values[index] ?? 0) - (values[index - 1] ?? 0);
    let [carW, leftW] = [0, 0];
    for (const each of chargers) carW += change(each);
    if (Math.abs(carW) < STEP_W) continue;
    for (const each of demand) leftW -= each.weight * change(each);
    if (Math.abs(leftW) >= LEFT_W) steps.push({ leftW, movedW: change(term) });
  }
  const [largest] = steps.toSorted((a, b) => Math.abs(b.leftW) - Math.abs(a.leftW));
  if (largest === undefined) return null;
  const follows = steps.every(({ leftW, movedW }) => Math.abs(movedW - leftW) <= OFF_PART * Math.abs(leftW));
  return { follows, ...largest };
}

/** Finds an inverter that is really the grid meter. */
export function checkRoles(terms: readonly Term[]): readonly Finding[] {
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
