import type { LinearModel, LinearSolution } from "../../domain/energy/plan/linear-model.ts";

export type { LinearModel, LinearSolution } from "../../domain/energy/plan/linear-model.ts";

export interface SolveOptions {
  /** When the search is given up, ms. */
  readonly deadlineMs: number;
  /** With whole numbers: how far from the optimum the result may be, in the unit of the objective. Default 0.005. */
  readonly absoluteGap?: number;
}

/** Solves linear and mixed-integer programs. Disposing it gives its memory back; a later `solve` starts again. */
export interface Optimizer extends AsyncDisposable {
  /**
   * Solves a model. Models are solved one after the other. A model that differs from the one before only in costs and
   * bounds starts from its optimum. Never rejects: what goes wrong is the status `failed`.
   */
  solve(model: LinearModel, options: SolveOptions): Promise<LinearSolution>;
}
