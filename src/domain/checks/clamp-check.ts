/**
 * The three clamps of a grid meter. One that is turned round counts its phase backwards. One that sits on another phase than
 * the voltage it is reckoned with shows minus half of what flows there, because the two are a third of a turn apart. Both
 * show in how the meter follows the other devices, phase by phase.
 */
import type { PointName } from "../../points/points.ts";
import { balanceOf, sumOfRows, type Term, times } from "./balance-terms.ts";
import { variation } from "./house-history.ts";

/** cos 120°. */
const THIRD_OF_A_TURN = -0.5;
/** How much better than the next one a place of the clamps has to explain the phases. */
const CLEARLY = 1.2;

/** Another way in which the clamps may be mounted. */
export interface ClampReading {
  /** What the meter would read then, W. */
  readonly values: readonly number[];
  /** Phases whose clamp is turned round. */
  readonly turned: readonly PointName[];
  /** Clamps that sit on another phase than their voltage, in words; null: none does. */
  readonly misplaced: string | null;
}

type Rows = readonly (readonly number[])[];

/** The mounting that makes the meter's phases follow the other devices best; null when several do about as well. */
export function clampReading(meter: Term, others: readonly Term[]): ClampReading | null {
  const { phases } = meter;
  if (phases === null) return null;
  // What all other devices together draw from the grid; a third of it a phase, for whatever is on all three.
  const share = times(balanceOf(others), -1 / 3);
  const judged = mountings(phases)
    .map((each) => ({ ...each, cost: unfollowed(each.rows, share) }))
    .sort((a, b) => a.cost - b.cost);
  const [best, second] = judged;
  if (best === undefined || second === undefined || second.cost < CLEARLY * best.cost) return null;
  return { values: sumOfRows(best.rows), turned: best.turned, misplaced: best.misplaced };
}

function unfollowed(rows: Rows, share: readonly number[]): number {
  return rows.reduce((sum, row) => sum + variation(row.map((value, index) => value - (share[index] ?? 0))), 0);
}

interface Mounting {
  readonly rows: Rows;
  readonly turned: readonly PointName[];
  readonly misplaced: string | null;
}

/** As it is comes first; that all three are turned is another matter, which the whole meter shows. */
function mountings(rows: Rows): readonly Mounting[] {
  const [first = [], second = [], third = []] = rows;
  const moved = (row: readonly number[]): readonly number[] => times(row, 1 / THIRD_OF_A_TURN);
  const misplaced = (order: Rows, names: string): Mounting => ({ rows: order, turned: [], misplaced: names });
  return [
    ...[[], [0], [1], [2], [0, 1], [0, 2], [1, 2]].map((lines) => turnedRound(rows, lines)),
    misplaced([moved(second), moved(first), third], "those of L1 and L2 are exchanged"),
    misplaced([moved(third), second, moved(first)], "those of L1 and L3 are exchanged"),
    misplaced([first, moved(third), moved(second)], "those of L2 and L3 are exchanged"),
    // Which way round they moved on, nothing tells that is on all phases alike.
    misplaced([moved(third), moved(first), moved(second)], "each of the three is on another phase"),
  ];
}

const POINTS = ["meter.power.l1", "meter.power.l2", "meter.power.l3"] as const;

function turnedRound(rows: Rows, lines: readonly number[]): Mounting {
  return {
    rows: rows.map((row, line) => (lines.includes(line) ? times(row, -1) : row)),
    turned: lines.flatMap((line) => POINTS[line] ?? []),
    misplaced: null,
  };
}
