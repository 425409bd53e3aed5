/** Linear programs and their solutions, as plain arrays that can be posted to another thread. */

/** How a column may vary: within its bounds, in whole numbers, or either 0 or within its bounds. */
export const CONTINUOUS = 0;
export const INTEGER = 1;
export const SEMI_CONTINUOUS = 2;

/** Minimise `cost · x` with `columnLower ≤ x ≤ columnUpper` and `rowLower ≤ A x ≤ rowUpper`. A bound may be infinite. */
export interface LinearModel {
  readonly cost: Float64Array;
  readonly columnLower: Float64Array;
  readonly columnUpper: Float64Array;
  /** `CONTINUOUS`, `INTEGER` or `SEMI_CONTINUOUS` of each column. */
  readonly integrality: Uint8Array;
  readonly rowLower: Float64Array;
  readonly rowUpper: Float64Array;
  /** Where each row begins in `columns` and `values`; one more entry than there are rows. */
  readonly rowStarts: Int32Array;
  readonly columns: Int32Array;
  readonly values: Float64Array;
  /**
   * The duals are the mean of those with each of two steps on the right side of these rows; 0: as they are. Where an optimum
   * has several duals, one solution alone has any of them.
   */
  readonly meanDuals?: { readonly rows: readonly number[]; readonly steps: readonly [number, number] };
}

/** Why there is no solution. `unbounded`: the model lacks a bound, which is a mistake of its author. */
export type UnsolvedStatus = "infeasible" | "unbounded" | "time-limit" | "failed";

export type LinearSolution =
  | {
      /** `feasible`: the time was up, and this is the best that was found until then. */
      readonly status: "optimal" | "feasible";
      readonly objective: number;
      readonly values: Float64Array;
      /**
       * How much the objective grows with one unit more on the right side of each row; with whole numbers, while these
       * stay as they are.
       */
      readonly rowDuals: Float64Array;
    }
  | { readonly status: UnsolvedStatus; readonly detail: string };

/** Values of a block of columns, or one value for all. */
type PerColumn = ArrayLike<number> | number;

export interface ColumnBlock {
  readonly cost?: PerColumn;
  /** Default 0. */
  readonly lower?: PerColumn;
  /** Default infinite. */
  readonly upper?: PerColumn;
  readonly integrality?: PerColumn;
}

/** Collects a model in blocks of columns and single rows. */
export class LinearModelBuilder {
  readonly #cost: number[] = [];
  readonly #lower: number[] = [];
  readonly #upper: number[] = [];
  readonly #integrality: number[] = [];
  readonly #rowLower: number[] = [];
  readonly #rowUpper: number[] = [];
  readonly #starts: number[] = [0];
  readonly #columns: number[] = [];
  readonly #values: number[] = [];

  /** Adds a block of columns and returns the index of its first. */
  addColumns(count: number, { cost = 0, lower = 0, upper = Infinity, integrality = CONTINUOUS }: ColumnBlock): number {
    const first = this.#cost.length;
    for (let index = 0; index < count; index++) {
      this.#cost.push(at(cost, index));
      this.#lower.push(at(lower, index));
      this.#upper.push(at(upper, index));
      this.#integrality.push(at(integrality, index));
    }
    return first;
  }

  /** Adds `coefficient` × `column` to the row that `endRow` closes. */
  addTerm(column: number, coefficient: number): void {
    this.#columns.push(column);
    this.#values.push(coefficient);
  }

  /** Closes a row and returns its index. */
  endRow(lower: number, upper: number): number {
    this.#rowLower.push(lower);
    this.#rowUpper.push(upper);
    this.#starts.push(this.#columns.length);
    return this.#rowLower.length - 1;
  }

  build(meanDuals?: NonNullable<LinearModel["meanDuals"]>): LinearModel {
    return {
      ...(meanDuals === undefined ? {} : { meanDuals }),
      cost: Float64Array.from(this.#cost),
      columnLower: Float64Array.from(this.#lower),
      columnUpper: Float64Array.from(this.#upper),
      integrality: Uint8Array.from(this.#integrality),
      rowLower: Float64Array.from(this.#rowLower),
      rowUpper: Float64Array.from(this.#rowUpper),
      rowStarts: Int32Array.from(this.#starts),
      columns: Int32Array.from(this.#columns),
      values: Float64Array.from(this.#values),
    };
  }
}

function at(values: PerColumn, index: number): number {
  return typeof values === "number" ? values : (values[index] ?? 0);
}
