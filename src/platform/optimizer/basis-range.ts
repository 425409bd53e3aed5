import type { Model } from "highs";
import type { LinearModel } from "../../domain/energy/plan/linear-model.ts";

/** How far the solver lets a value be beyond its bound. */
const TOLERANCE = 1e-7;
/** A value that changes by less per unit does not change. */
const STILL = 1e-9;

/** Steps of a right side between which all values keep their bounds. */
interface Range {
  lower: number;
  upper: number;
}

/**
 * Returns between which steps on the right side of `rows` the optimum has the same basis, and so the same duals. All basic
 * values are linear in the step: one solution with the factors of the basis says how fast each moves.
 */
export function basisRange(
  handle: Model,
  model: LinearModel,
  rows: readonly number[],
  values: Float64Array,
): Readonly<Range> {
  const basic = handle.getBasicVariables();
  const rightSide = new Float64Array(model.rowLower.length);
  for (const row of rows) rightSide[row] = 1;
  const moves = handle.getBasisSolve(rightSide).values;
  const perStep = new Float64Array(values.length);
  const range: Range = { lower: -Infinity, upper: Infinity };
  for (const [index, variable] of basic.entries()) {
    if (variable < 0) continue;
    perStep[variable] = moves[index] ?? 0;
    narrow(range, values[variable], moves[index], model.columnLower[variable], model.columnUpper[variable]);
  }
  for (const variable of basic) {
    const row = -variable - 1;
    if (row < 0) continue;
    // The row's own bounds move with the step, and its value does not.
    if (rows.includes(row)) return { lower: 0, upper: 0 };
    const [sum, move] = [activity(model, row, values), activity(model, row, perStep)];
    narrow(range, sum, move, model.rowLower[row], model.rowUpper[row]);
  }
  return range;
}

function narrow(range: Range, value = Number.NaN, move = 0, lower = -Infinity, upper = Infinity): void {
  if (Math.abs(move) < STILL) return;
  const [toLower, toUpper] = [(lower - TOLERANCE - value) / move, (upper + TOLERANCE - value) / move];
  range.lower = Math.max(range.lower, Math.min(toLower, toUpper));
  range.upper = Math.min(range.upper, Math.max(toLower, toUpper));
}

function activity({ rowStarts, columns, values }: LinearModel, row: number, of: Float64Array): number {
  let sum = 0;
  const end = rowStarts[row + 1] ?? 0;
  for (let entry = rowStarts[row] ?? 0; entry < end; entry++)
    sum += (values[entry] ?? 0) * (of[columns[entry] ?? 0] ?? 0);
  return sum;
}
