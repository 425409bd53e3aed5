import type { LinearModel, LinearSolution } from "../../domain/energy/plan/linear-model.ts";
import type { Optimizer } from "../ports/optimizer-port.ts";
import type { HighsSession } from "./highs-session.ts";
import { shortText } from "./short-text.ts";

/**
 * HiGHS in this thread, for tests and the simulated world: the result depends on the model alone, so deadlines do not
 * count. `ready` loads the solver, so that later answers come without waiting for the machine.
 */
export class InProcessOptimizer implements Optimizer {
  #session: Promise<HighsSession> | null = null;

  async ready(): Promise<void> {
    this.#session ??= openSession();
    await this.#session;
  }

  async solve(model: LinearModel, { absoluteGap }: { readonly absoluteGap?: number } = {}): Promise<LinearSolution> {
    try {
      this.#session ??= openSession();
      const session = await this.#session;
      return session.solve(model, absoluteGap === undefined ? {} : { absoluteGap });
    } catch (error) {
      this.#session = null;
      return { status: "failed", detail: shortText(error) };
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const session = await this.#session;
    this.#session = null;
    session?.[Symbol.dispose]();
  }
}

/** Loaded on demand: most runs never plan. */
async function openSession(): Promise<HighsSession> {
  const { HighsSession } = await import("./highs-session.ts");
  return await HighsSession.open();
}
