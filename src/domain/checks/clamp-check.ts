/**
 * Finds wrongly mounted current clamps of a grid meter. A clamp that is mounted backwards inverts the power of its phase. A
 * clamp on another phase than the voltage that the meter multiplies it with shows minus half of the power there, because
 * the phases are 120° apart. Both show in how the phases of the meter follow the other devices.
 */
import type { PointName } from "../../points/points.ts";
import { balanceOf, sumOfRows, type Term, times } from "./balance-terms.ts";
import { variation } from "./house-history.ts";
import type { MeasuredText } from "./measured-text.ts";

const COS_120_DEGREES = -0.5;
/** The best mounting has to explain the phases better than the second best by this factor. */
const CLEARLY = 1.2;

/** A way in which the clamps may be mounted. */
export interface ClampMounting {
  /** The power that the meter would report with correct clamps, W. */
  readonly values: readonly number[];
  /** The phases whose clamp is mounted backwards. */
  readonly reversed: readonly PointName[];
  /** Which clamps are on another phase than their voltage, as a clause; `null` if none is. */
  readonly misplaced: MeasuredText | null;
}

type Rows = readonly (readonly number[])[];

/**
 * Returns the mounting with which the meter's phases follow the other devices best; `null` if another one is about as good
 * or the meter does not report its phases.
 */
export function bestMounting(meter: Term, others: readonly Term[]): ClampMounting | null {
  const { phases } = meter;
  if (phases === null) return null;
  // A third of what all other devices together draw from the grid: their share per phase.
  const share = times(balanceOf(others), -1 / 3);
  const judged = mountings(phases)
    .map((each) => ({ ...each, cost: unfollowed(each.rows, share) }))
    .sort((a, b) => a.cost - b.cost);
  const [best, second] = judged;
  if (best === undefined || second === undefined || second.cost < CLEARLY * best.cost) return null;
  return { values: sumOfRows(best.rows), reversed: best.reversed, misplaced: best.misplaced };
}

function unfollowed(rows: Rows, share: readonly number[]): number {
  return rows.reduce((sum, row) => sum + variation(row.map((value, index) => value - (share[index] ?? 0))), 0);
}

interface Mounting {
  readonly rows: Rows;
  readonly reversed: readonly PointName[];
  readonly misplaced: MeasuredText | null;
}

/** Returns all mountings, the present one first. Three reversed clamps are left out: the total of the meter shows them. */
function mountings(rows: Rows): readonly Mounting[] {
  const [first = [], second = [], third = []] = rows;
  const moved = (row: readonly number[]): readonly number[] => times(row, 1 / COS_120_DEGREES);
  const misplaced = (order: Rows, key: MeasuredText["key"], one = "", other = ""): Mounting => ({
    rows: order,
    reversed: [],
    misplaced: { key, values: { one, other } },
  });
  return [
    ...[[], [0], [1], [2], [0, 1], [0, 2], [1, 2]].map((lines) => withReversed(rows, lines)),
    misplaced([moved(second), moved(first), third], "clampsExchanged", "L1", "L2"),
    misplaced([moved(third), second, moved(first)], "clampsExchanged", "L1", "L3"),
    misplaced([first, moved(third), moved(second)], "clampsExchanged", "L2", "L3"),
    // In which direction they are rotated cannot be seen from devices that use all phases alike.
    misplaced([moved(third), moved(first), moved(second)], "clampsRotated"),
  ];
}

const POINTS = ["meter.power.l1", "meter.power.l2", "meter.power.l3"] as const;

function withReversed(rows: Rows, lines: readonly number[]): Mounting {
  return {
    rows: rows.map((row, line) => (lines.includes(line) ? times(row, -1) : row)),
    reversed: lines.flatMap((line) => POINTS[line] ?? []),
    misplaced: null,
  };
}
