/** Imports of setup files: one at a time, each as a task that goes on when nobody asks. */
import { PROBLEMS, ProblemError, problem } from "../../domain/problem.ts";
import type { SetupImportFailure, SetupImportPreview, SetupImportStep } from "../../domain/setup/setup-import.ts";
import type { Clock, Log } from "../../platform/ports/ports.ts";
import type { Store } from "../../store/store.ts";
import type { Importer, SetupImportRecord, SetupImports } from "../contracts/setup.ts";
import type { EnginePart } from "../engine-part.ts";
import type { Feature } from "../feature.ts";
import { checkSetupFile } from "./setup-file-check.ts";
import { ImportError, type ImportRun, type PlannedStep, type StepParts, stepsOf } from "./setup-import-steps.ts";

const TABLE = "setup-import";
const KEY = "current";

export interface ImportNeeds {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
}

class SetupImportService implements SetupImports, EnginePart {
  readonly #parts: ImportNeeds & StepParts;
  #running: { record: SetupImportRecord; readonly stop: AbortController } | null = null;
  #work: Promise<void> = Promise.resolve();
  #closing: AbortSignal | null = null;

  constructor(parts: ImportNeeds & StepParts) {
    this.#parts = { ...parts, log: parts.log.child({ part: "setup-import" }) };
  }

  /** Says of an import that a stop of the gateway cut short that it was, and waits for what the next stop cuts short. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#parts;
    this.#closing = signal;
    const cut = this.task();
    if (cut?.state === "running" && this.#running === null) {
      const ended = { ...cut, state: "interrupted" as const, endedAtMs: clock.nowMs(), steps: cut.steps.map(reopened) };
      await this.#store(ended).catch((err: unknown) => log.warn({ err }, "cannot store that an import was cut short"));
    }
    if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    this.#running?.stop.abort(signal.reason);
    await this.#work;
  }

  preview(text: string, { isManager }: Importer): SetupImportPreview {
    const { file, mistakes } = checkSetupFile(text, { ...this.#parts, isManager });
    const steps = file === null ? [] : stepsOf(file, this.#parts).map(({ step }) => step);
    return { mistakes: [...mistakes], steps };
  }

  async begin(text: string, { by, isManager }: Importer): Promise<SetupImportRecord> {
    const { clock, log } = this.#parts;
    const { file, mistakes } = checkSetupFile(text, { ...this.#parts, isManager });
    if (file === null) {
      const issues = mistakes.map(({ line, message, ...mistake }) => {
        return {
          ...mistake,
          path: ["text", ...mistake.path],
          in: "body" as const,
          message: `line ${line}: ${message}`,
        };
      });
      throw problem("bad-request", "The file has mistakes; nothing of it is done.", { issues });
    }
    if (this.#closing?.aborted === true) throw problem("service-unavailable", "The gateway is stopping.");
    if (this.#running !== null)
      throw problem("conflict", "A setup file is being imported; wait for its end, or end it.");
    const planned = stepsOf(file, this.#parts);
    const steps = planned.map(({ step }) => step);
    const record = { state: "running" as const, by, startedAtMs: clock.nowMs(), endedAtMs: null, steps };
    const running = { record, stop: new AbortController() };
    this.#running = running;
    try {
      await this.#store(record);
    } catch (cause) {
      this.#running = null;
      throw problem("service-unavailable", "The import cannot be stored now.", { cause });
    }
    log.info({ by: by.name, steps: steps.length }, "import of a setup file began");
    this.#work = this.#import(planned);
    return record;
  }

  task(): SetupImportRecord | null {
    return this.#running?.record ?? this.#parts.store.get(TABLE, KEY);
  }

  stop(): void {
    if (this.#running === null) throw problem("not-found", "No setup file is being imported.");
    this.#running.stop.abort(new Error("the import was ended by a person"));
  }

  async #import(planned: readonly PlannedStep[]): Promise<void> {
    const { clock, log } = this.#parts;
    const running = this.#running;
    if (running === null) return;
    const { stop, record } = running;
    let now = 0;
    const note: ImportRun["note"] = (result) => this.#note(now, result);
    const run: ImportRun = { by: record.by, signal: stop.signal, note, hasSearchedAll: false };
    let state: SetupImportRecord["state"] = "done";
    for (const [at, { work, step }] of planned.entries()) {
      if (step.state === "unchanged") continue;
      if (stop.signal.aborted) state = "stopped";
      if (state !== "done") break;
      now = at;
      this.#change(at, { state: "running" });
      try {
        await work(run);
        this.#change(at, { state: "done" });
      } catch (error) {
        const isStopped = stop.signal.aborted;
        state = isStopped ? "stopped" : "failed";
        this.#change(at, isStopped ? { state: "open" } : { state: "failed", failure: this.#failureOf(error, step) });
      }
    }
    // The next start says so of one that the gateway's stop ended.
    if (this.#closing?.aborted !== true) {
      running.record = { ...running.record, state, endedAtMs: clock.nowMs() };
      await this.#store(running.record).catch((err: unknown) => log.warn({ err }, "cannot store how an import ended"));
      log.info({ state }, "import of a setup file ended");
    }
    this.#running = null;
  }

  #note(at: number, result: SetupImportStep["results"][number]): void {
    const results = this.#running?.record.steps[at]?.results ?? [];
    this.#change(at, { results: [...results, result] });
  }

  /** Changes a step. It is on disk with the next commit: what a crash loses of it is only how far it was. */
  #change(at: number, change: Partial<SetupImportStep>): void {
    const running = this.#running;
    if (running === null) return;
    const steps = running.record.steps.map((step, index) => (index === at ? { ...step, ...change } : step));
    running.record = { ...running.record, steps };
    this.#parts.store.commitAlong([{ table: TABLE, key: KEY, put: running.record }]);
  }

  #failureOf(error: unknown, { kind, name }: SetupImportStep): SetupImportFailure {
    const { log } = this.#parts;
    const detail = error instanceof Error ? error.message : String(error);
    if (error instanceof ImportError) {
      log.warn({ step: kind, name, code: error.code }, "a step of a setup file failed; the import ends");
      return { code: error.code, status: 409, detail, issues: [] };
    }
    if (error instanceof ProblemError) {
      log.warn({ step: kind, name, code: error.slug }, "a step of a setup file was refused; the import ends");
      return { code: "refused", status: PROBLEMS[error.slug].status, detail, issues: [...error.issues] };
    }
    log.error({ err: error, step: kind, name }, "a step of a setup file failed; the import ends");
    return { code: "refused", status: 500, detail: "The gateway could not do it; its log says why.", issues: [] };
  }

  async #store(put: SetupImportRecord): Promise<void> {
    await this.#parts.store.commit([{ table: TABLE, key: KEY, put }], [], "urgent");
  }
}

function reopened(step: SetupImportStep): SetupImportStep {
  return step.state === "running" ? { ...step, state: "open" } : step;
}

export function createSetupImports(
  needs: ImportNeeds,
  parts: Omit<StepParts, "clock" | "store">,
): Feature<SetupImports> {
  const { clock, log, store } = needs;
  const service = new SetupImportService({ clock, log, store, ...parts });
  return { name: "setupImports", service, loop: service };
}
