/** A battery's two points: the power is on the device before the forced mode that has it, goes after it, and does not outlast it. */
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";
import type { LeaseTerms } from "./lease-terms.ts";
import type { Regulation } from "./regulated-value.ts";

export const MODE = "battery.mode" satisfies ControlPoint;
const POWER = "battery.powerSetpoint" satisfies ControlPoint;

function hasPower(mode: PointValue | null): boolean {
  return mode === "IMPORT_FOCUS" || mode === "EXPORT_FOCUS";
}

/**
 * What a point gets back: the value before, but no power for a battery that is not in a forced mode then, since the number would
 * stay behind. `mode` is what the battery gets; `null`: it keeps its own.
 */
export function valueBack(
  { record: { point, revertTo } }: Regulation,
  mode: PointValue | null,
  { terms, values }: { readonly terms: LeaseTerms; readonly values: Readonly<PointValues> },
): PointValue | null {
  const isIdle = point === POWER && !hasPower(mode ?? values[MODE] ?? null);
  return isIdle ? (terms.safeValue(point, values) ?? revertTo) : terms.backTo(point, revertTo);
}

/** The order of an orderly stop: no battery is in a forced mode without its power. */
export function modeFirst(a: { readonly point: ControlPoint }, b: { readonly point: ControlPoint }): number {
  return Number(b.point === MODE) - Number(a.point === MODE);
}

/** True while a crash has left both points: the forced mode, which waits for its time, would go on with another power. */
export function isLeftWithMode(each: Regulation, all: ReadonlyMap<ControlPoint, Regulation>): boolean {
  const isEarly = each.phase === "left-over" && each.record.point === POWER;
  return isEarly && all.get(MODE)?.phase === "left-over";
}

/**
 * True while a point of a battery must not be written yet: a forced mode without the power that belongs to it would charge
 * with all its power for a moment, and so would one whose power was taken back first.
 */
export function waitsForOtherPoint(
  each: Regulation,
  all: ReadonlyMap<ControlPoint, Regulation>,
  values: Readonly<PointValues>,
): boolean {
  const { point } = each.record;
  if (point === MODE) {
    const power = all.get(POWER);
    const isMissing = power?.phase === "held" && (power.sent === null || power.isRewriteDue || power.isNewConnection);
    return isMissing && hasPower(each.target);
  }
  if (point !== POWER || each.phase !== "returning") return false;
  const mode = all.get(MODE);
  const isEnding = mode !== undefined && mode.target !== null && !hasPower(mode.target);
  return isEnding && hasPower(values[MODE] ?? null);
}
