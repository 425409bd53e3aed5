import type { SourceProblem, SourceProblemKind } from "../../domain/source-problem.ts";
import type { Clock } from "../../platform/ports/ports.ts";

/** Problems that end with their cause; all others end with the next successful answer of the source. */
const OBSTACLES: ReadonlySet<SourceProblemKind> = new Set(["not-set-up", "clock-not-set"]);

/** The text of the problem `clock-not-set`. */
export const NO_CLOCK = "the clock was not set since the start";

/** Tracks the present problem of a source, and since when it has its kind. */
export class SourceProblemState {
  readonly #clock: Pick<Clock, "nowMs">;
  #problem: SourceProblem | null = null;

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  get problem(): SourceProblem | null {
    return this.#problem;
  }

  /** Sets the problem. Returns true if its kind is new, so that it is worth a log line. */
  set({ kind, text }: Pick<SourceProblem, "kind" | "text">): boolean {
    const before = this.#problem?.kind === kind ? this.#problem : null;
    this.#problem = { kind, text, sinceMs: before?.sinceMs ?? this.#clock.nowMs() };
    return before === null;
  }

  /** Clears a problem that kept the source from being asked. */
  clearObstacle(): void {
    if (this.#problem !== null && OBSTACLES.has(this.#problem.kind)) this.#problem = null;
  }

  /** Clears the problem after a successful answer. Returns true if there was one. */
  clear(): boolean {
    const had = this.#problem !== null;
    this.#problem = null;
    return had;
  }
}
