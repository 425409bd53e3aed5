/** The order of a battery's two points: the power is on the device before the forced mode that has it, and goes after it. */
import type { PointValues } from "../../domain/assets/snapshot.ts";
import type { ControlPoint, PointValue } from "../../points/points.ts";
import type { Regulation } from "./regulated-value.ts";

const MODE = "battery.mode" satisfies ControlPoint;
const POWER = "battery.powerSetpoint" satisfies ControlPoint;

function hasPower(mode: PointValue | null): boolean {
  return mode === "IMPORT_FOCUS" || mode === "EXPORT_FOCUS";
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
