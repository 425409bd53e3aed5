import type { SourceProblem, SourceProblemKind } from "../../domain/source-problem.ts";
import type { Clock } from "../../platform/ports/ports.ts";

/** They are gone when their cause is; what the source said stands until it says something else. */
const OBSTACLES: ReadonlySet<SourceProblemKind> = new Set(["not-set-up", "clock-not-set"]);

export const NO_CLOCK = "the clock was not set since the start";

/** What keeps a source from being heard: how it stands, and since when it is of this kind. */
export class SourceTrouble {
  readonly #clock: Pick<Clock, "nowMs">;
  #problem: SourceProblem | null = null;

  constructor(clock: Pick<Clock, "nowMs">) {
    this.#clock = clock;
  }

  get problem(): SourceProblem | null {
    return this.#problem;
  }

  /** True: it was none of this kind before, so it is worth a line in the log. */
  take({ kind, text }: Pick<SourceProblem, "kind" | "text">): boolean {
    const before = this.#problem?.kind === kind ? this.#problem : null;
    this.#problem = { kind, text, sinceMs: before?.sinceMs ?? this.#clock.nowMs() };
    return before === null;
  }

  /** Nothing keeps the source from being asked any more. */
  removeObstacle(): void {
    if (this.#problem !== null && OBSTACLES.has(this.#problem.kind)) this.#problem = null;
  }

  /** The source told what it was asked for. True: there was a problem. */
  end(): boolean {
    const had = this.#problem !== null;
    this.#problem = null;
    return had;
  }
}
