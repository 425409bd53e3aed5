import highs, { type Highs, type Model, type ModelData } from "highs";
import {
  INTEGER,
  type LinearModel,
  type LinearSolution,
  SEMI_CONTINUOUS,
} from "../../domain/energy/plan/linear-model.ts";
import type { SolveOptions } from "../ports/optimizer-port.ts";
import { basisRange } from "./basis-range.ts";
import { shortText } from "./short-text.ts";

/** The package's types are those of its CommonJS form; its module has the loader itself as the default. */
const loadHighs = highs as unknown as typeof highs.default;

const DEFAULT_GAP = 0.005;
/** Of models of this size, a presolve and steepest edges cost more time than they save: a fifth of it. */
const SIMPLEX_OPTIONS = { solver: "simplex", presolve: "off", simplex_dual_edge_weight_strategy: 1 };
/** How far a solution may break a bound or miss a whole number. */
const TOLERANCE = 1e-5;
const MODEL_STATUS = { optimal: 7, infeasible: 8, unboundedOrInfeasible: 9, unbounded: 10, timeLimit: 13 } as const;
const FEASIBLE = 2;

/** Options of the loader; Emscripten's name, which the package's types leave out. */
function loadedFrom(module: WebAssembly.Module): object {
  return {
    instantiateWasm: (imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) =>
      receive(new WebAssembly.Instance(module, imports)),
  };
}

/** HiGHS in this thread: it holds the thread up while it solves. */
export class HighsSession implements Disposable {
  readonly #highs: Highs;
  #last: { readonly model: LinearModel; readonly handle: Model } | null = null;

  private constructor(highs: Highs) {
    this.#highs = highs;
  }

  /** Loads the solver, by default from its package. Rejects if its WebAssembly does not load. */
  static async open(module?: WebAssembly.Module): Promise<HighsSession> {
    return new HighsSession(await loadHighs(module === undefined ? {} : loadedFrom(module)));
  }

  [Symbol.dispose](): void {
    this.#last?.handle.dispose();
    this.#last = null;
  }

  /** Without a deadline the result depends on the model alone, and not on how fast the machine is. */
  solve(
    model: LinearModel,
    options: Omit<SolveOptions, "deadlineMs"> & { readonly deadlineMs?: number },
  ): LinearSolution {
    try {
      if (hasIntegers(model)) return this.#solveMixed(model, options);
      const isWarm = this.#last !== null && isSameMatrix(this.#last.model, model);
      const solution = this.#solveLinear(model, options, isWarm);
      // A basis that fits badly can end in numerical trouble: a fresh start decides.
      return isWarm && solution.status !== "optimal" ? this.#solveLinear(model, options, false) : solution;
    } catch (error) {
      this[Symbol.dispose]();
      return { status: "failed", detail: shortText(error) };
    }
  }

  #solveLinear(model: LinearModel, { deadlineMs }: { readonly deadlineMs?: number }, isWarm: boolean): LinearSolution {
    const before = isWarm ? this.#last : null;
    const handle = before?.handle ?? this.#open(model);
    if (before !== null) change(handle, before.model, model);
    this.#last = { model, handle };
    run(handle, deadlineMs);
    const solution = readSolution(handle, model);
    if (solution.status !== "optimal") return solution;
    return { ...solution, rowDuals: meanDuals(handle, model, { ...solution, deadlineMs }) };
  }

  #open(model: LinearModel): Model {
    this[Symbol.dispose]();
    const handle = this.#highs.createModel(modelData(model));
    handle.options.set({ output_flag: false, ...SIMPLEX_OPTIONS });
    return handle;
  }

  #solveMixed(model: LinearModel, { deadlineMs, absoluteGap = DEFAULT_GAP }: Partial<SolveOptions>): LinearSolution {
    this[Symbol.dispose]();
    const handle = this.#highs.createModel({ ...modelData(model), integrality: Int32Array.from(model.integrality) });
    try {
      // A relative gap is measured against the penalties too, and would end the search with a bad plan.
      handle.options.set({ output_flag: false, mip_rel_gap: 0, mip_abs_gap: absoluteGap });
      run(handle, deadlineMs);
      const solution = readSolution(handle, model);
      if (!("values" in solution)) return solution;
      return { ...solution, rowDuals: this.#fixedDuals(model, solution.values) };
    } finally {
      handle.dispose();
    }
  }

  /** The duals of the linear program that remains when the whole numbers stay as they are. */
  #fixedDuals(model: LinearModel, values: Float64Array): Float64Array {
    const columnLower = Float64Array.from(model.columnLower);
    const columnUpper = Float64Array.from(model.columnUpper);
    for (const [column, kind] of model.integrality.entries()) {
      const value = values[column] ?? 0;
      if (kind === INTEGER) columnLower[column] = columnUpper[column] = Math.round(value);
      if (kind === SEMI_CONTINUOUS && value < TOLERANCE) columnLower[column] = columnUpper[column] = 0;
    }
    const fixed = { ...model, columnLower, columnUpper, integrality: new Uint8Array(values.length) };
    const solution = this.#solveLinear(fixed, {}, false);
    return "rowDuals" in solution ? solution.rowDuals : new Float64Array(model.rowLower.length);
  }
}

/** Gives the solver the costs and bounds of another model with the same matrix. The rows of mean duals were moved. */
function change(handle: Model, before: LinearModel, model: LinearModel): void {
  const columns = { kind: "range", from: 0, to: model.cost.length - 1 } as const;
  const rows = { kind: "range", from: 0, to: model.rowLower.length - 1 } as const;
  if (!isEqual(before.cost, model.cost)) handle.changeColsCost(columns, model.cost);
  if (!isEqual(before.columnLower, model.columnLower) || !isEqual(before.columnUpper, model.columnUpper)) {
    handle.changeColsBounds(columns, model.columnLower, model.columnUpper);
  }
  handle.changeRowsBounds(rows, model.rowLower, model.rowUpper);
}

function run(handle: Model, deadlineMs: number | undefined): void {
  handle.zeroAllClocks();
  if (deadlineMs !== undefined) handle.options.set({ time_limit: deadlineMs / 1_000 });
  handle.run();
}

interface Optimum {
  readonly values: Float64Array;
  readonly rowDuals: Float64Array;
  readonly deadlineMs: number | undefined;
}

/**
 * Returns the duals of the model, or the mean of those that it asks for; its own in the place of a side without a solution.
 * A side on which the basis stays the same has the same duals, and is not solved.
 */
function meanDuals(handle: Model, model: LinearModel, { values, rowDuals, deadlineMs }: Optimum): Float64Array {
  const { meanDuals: asked, rowLower, rowUpper } = model;
  if (asked === undefined || asked.rows.length === 0) return rowDuals;
  const same = basisRange(handle, model, asked.rows, values);
  const sides = asked.steps.map((step) => {
    if (step >= same.lower && step <= same.upper) return rowDuals;
    for (const row of asked.rows) {
      handle.changeRowBounds(row, (rowLower[row] ?? 0) + step, (rowUpper[row] ?? 0) + step);
    }
    run(handle, deadlineMs);
    return handle.getModelStatus() === MODEL_STATUS.optimal ? handle.getSolution().rowDual : rowDuals;
  });
  return rowDuals.map((_, row) => sides.reduce((sum, side) => sum + (side[row] ?? 0), 0) / sides.length);
}

function readSolution(handle: Model, model: LinearModel): LinearSolution {
  const code = handle.getModelStatus();
  const hasPrimal = handle.info.get("primal_solution_status") === FEASIBLE;
  if (code === MODEL_STATUS.infeasible) return { status: "infeasible", detail: "no values keep all rows" };
  if (code === MODEL_STATUS.unbounded || code === MODEL_STATUS.unboundedOrInfeasible)
    return { status: "unbounded", detail: "the objective has no lower bound, or no values keep all rows" };
  const isTimeUp = code === MODEL_STATUS.timeLimit;
  if (isTimeUp && !(hasPrimal && hasIntegers(model)))
    return { status: "time-limit", detail: "nothing was found in time" };
  if (code !== MODEL_STATUS.optimal && !isTimeUp)
    return { status: "failed", detail: `the solver ended with status ${code}` };
  const { colValue: values, rowDual: rowDuals } = handle.getSolution();
  const violation = worstViolation(model, values);
  if (!hasPrimal || !(violation <= TOLERANCE))
    return { status: "failed", detail: `the solver's result breaks a bound by ${violation.toPrecision(2)}` };
  return { status: isTimeUp ? "feasible" : "optimal", objective: handle.getObjectiveValue(), values, rowDuals };
}

/** By how much the values break a bound of a row or column or miss a whole number, relative to the bound. */
function worstViolation(model: LinearModel, values: Float64Array): number {
  let worst = 0;
  for (let column = 0; column < values.length; column++) {
    const value = values[column] ?? Number.NaN;
    const kind = model.integrality[column];
    const isOff = kind === SEMI_CONTINUOUS && Math.abs(value) <= TOLERANCE;
    if (!isOff) worst = Math.max(worst, beyond(value, model.columnLower[column], model.columnUpper[column]));
    if (kind === INTEGER) worst = Math.max(worst, Math.abs(value - Math.round(value)));
    if (Number.isNaN(value)) return Number.NaN;
  }
  for (let row = 0; row < model.rowLower.length; row++) {
    let sum = 0;
    const end = model.rowStarts[row + 1] ?? 0;
    for (let entry = model.rowStarts[row] ?? 0; entry < end; entry++)
      sum += (model.values[entry] ?? 0) * (values[model.columns[entry] ?? 0] ?? 0);
    worst = Math.max(worst, beyond(sum, model.rowLower[row], model.rowUpper[row]));
  }
  return worst;
}

function beyond(value: number, lower = -Infinity, upper = Infinity): number {
  const bound = Math.max(lower, Math.min(value, upper));
  return bound === value ? 0 : Math.abs(value - bound) / Math.max(1, Math.abs(bound));
}

function hasIntegers(model: LinearModel): boolean {
  return model.integrality.some((kind) => kind !== 0);
}

function isSameMatrix(a: LinearModel, b: LinearModel): boolean {
  if (a.cost.length !== b.cost.length) return false;
  return isEqual(a.rowStarts, b.rowStarts) && isEqual(a.columns, b.columns) && isEqual(a.values, b.values);
}

function isEqual(a: Float64Array | Int32Array, b: Float64Array | Int32Array): boolean {
  if (a === b) return true;
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false;
  return true;
}

function modelData(model: LinearModel): ModelData {
  return {
    numCols: model.cost.length,
    numRows: model.rowLower.length,
    colCost: model.cost,
    colLower: model.columnLower,
    colUpper: model.columnUpper,
    rowLower: model.rowLower,
    rowUpper: model.rowUpper,
    matrix: {
      format: "csr",
      numRows: model.rowLower.length,
      numCols: model.cost.length,
      starts: model.rowStarts,
      indices: model.columns,
      values: model.values,
    },
  };
}
