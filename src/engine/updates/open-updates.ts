/** Asks for updates, on request and at the times of the configuration, and journals how they went. */
import type { Config } from "../../config/config.ts";
import { problem } from "../../domain/problem.ts";
import type { UpdateReport } from "../../domain/updates/update-report.ts";
import { errorText } from "../../platform/error-text.ts";
import type { Clock, Cron, Log } from "../../platform/ports/ports.ts";
import type { UpdateRequests } from "../../platform/ports/update-requests-port.ts";
import type { UpdateTaskRecord } from "../../store/records/updates.ts";
import type { Write } from "../../store/records.ts";
import type { OpenedStore } from "../../store/store.ts";
import type { AvailableUpdate, Updates, UpdateTask } from "../contracts/updates.ts";
import { begunTask, taskAfter, taskAt } from "./update-task.ts";

export interface OpenUpdatesOptions {
  readonly store: Pick<OpenedStore, "get" | "commit">;
  /** The version that runs; `undefined` if it is not known. */
  readonly version?: string | undefined;
  readonly clock: Pick<Clock, "nowMs">;
  readonly cron: Cron;
  readonly log: Log;
  /** Absent: nothing updates the package, and the times of the configuration are not used. */
  readonly updates?: UpdateRequests | undefined;
  readonly config: Pick<Config, "update" | "site">;
}

const LEVELS = {
  available: "info",
  newest: "info",
  prepared: "info",
  kept: "info",
  "rolled-back": "warn",
  skipped: "info",
  failed: "error",
} as const;
const TEXTS = {
  available: "a later version is available",
  newest: "there is no later version",
  prepared: "an update is prepared; the gateway will be stopped for it",
  kept: "this version was ready after an update, and stays",
  "rolled-back": "this version is back in place of a later one, with its state from before",
  skipped: "the later version is not installed",
  failed: "the update was not made; the next one is tried at its time",
} as const;
/** Outcomes that are published as events. */
const EVENTS: ReadonlySet<UpdateReport["outcome"]> = new Set(["available", "kept", "rolled-back", "failed"]);

const TABLE = "available-update";
const TASKS = "update-task";
const KEY = "current";
/** The version that was rolled back last, until another one stays. */
const ROLLED_BACK = "rolled-back";

/** A version that was rolled back is not offered again; after a failure it still is. */
function recordOf(how: UpdateReport): readonly Write[] {
  if (how.outcome === "available") return [{ table: TABLE, key: KEY, put: { version: how.to } }];
  const isOver = how.outcome === "kept" || how.outcome === "rolled-back" || how.outcome === "newest";
  const known: readonly Write[] = isOver ? [{ table: TABLE, key: KEY, remove: true }] : [];
  if (how.outcome === "kept") return [...known, { table: TABLE, key: ROLLED_BACK, remove: true }];
  if (how.outcome !== "rolled-back") return known;
  return [...known, { table: TABLE, key: ROLLED_BACK, put: { version: how.to } }];
}

class UpdateService implements Updates, Disposable {
  readonly #parts: OpenUpdatesOptions;
  readonly #jobs = new DisposableStack();
  #task: UpdateTaskRecord | null;

  constructor(parts: OpenUpdatesOptions) {
    this.#parts = parts;
    this.#task = parts.store.get(TASKS, KEY) ?? null;
    const { check, window } = parts.config.update;
    this.#schedule(check, "check");
    this.#schedule(window, "install");
  }

  get isUpdatable(): boolean {
    return this.#parts.updates !== undefined;
  }

  async report(how: UpdateReport): Promise<void> {
    const { log, store, clock } = this.#parts;
    const { outcome, ...payload } = how;
    log[LEVELS[outcome]](payload, TEXTS[outcome]);
    const task = taskAfter(this.#task, how, clock.nowMs());
    const writes = [...recordOf(how), ...(task === null ? [] : [writeOf(task)])];
    await store.commit(writes, EVENTS.has(outcome) ? [{ event: `system:update:${outcome}`, payload }] : []);
    this.#task = task ?? this.#task;
  }

  available(): AvailableUpdate | null {
    const known = this.#versionAt(KEY);
    if (known === null || known === this.rolledBack()) return null;
    return { version: known, isAutomatic: this.#parts.config.update.window !== undefined };
  }

  rolledBack(): string | null {
    return this.#versionAt(ROLLED_BACK);
  }

  #versionAt(key: string): string | null {
    const { store, version } = this.#parts;
    const known = store.get(TABLE, key)?.version ?? null;
    // It may have been installed by hand.
    return known === version ? null : known;
  }

  task(): UpdateTask | null {
    const { version, clock } = this.#parts;
    return this.#task === null ? null : taskAt(this.#task, version, clock.nowMs());
  }

  async begin(kind: UpdateTask["kind"]): Promise<UpdateTask> {
    if (!this.isUpdatable) {
      throw problem(
        "service-unavailable",
        "This gateway was not installed as the Debian package: who installed it updates it, and UPGRADING.md says how.",
      );
    }
    if (this.#isBusy()) throw problem("conflict", "An update, or a look for one, goes on; wait until it has ended.");
    const { version, clock } = this.#parts;
    const begun = begunTask(kind, false, clock.nowMs());
    await this.#request(kind, begun);
    return taskAt(this.#task ?? begun, version, clock.nowMs());
  }

  [Symbol.dispose](): void {
    this.#jobs.dispose();
  }

  #schedule(expression: string | undefined, kind: UpdateTask["kind"]): void {
    const { cron, clock, config } = this.#parts;
    if (expression === undefined || !this.isUpdatable) return;
    const { timezone: timeZone } = config.site;
    const ask = (): void => void this.#request(kind, this.#isBusy() ? null : begunTask(kind, true, clock.nowMs()));
    this.#jobs.use(cron.schedule({ expression, timeZone }, ask));
  }

  #isBusy(): boolean {
    return this.task()?.endedAtMs === null;
  }

  /** `begun`: the task that this is; `null` if it is asked for beside another one. */
  async #request(kind: UpdateTask["kind"], begun: UpdateTaskRecord | null): Promise<void> {
    const { updates, log, clock } = this.#parts;
    // Written before: the answer may come at once.
    if (begun !== null) await this.#keep(begun);
    try {
      await updates?.request(kind);
    } catch (err) {
      log.error({ err }, `the update cannot be asked for (${kind}); the next one is tried at its time`);
      if (begun === null) return;
      await this.#keep({ ...begun, endedAtMs: clock.nowMs(), outcome: "failed", reason: errorText(err) });
    }
  }

  /** A disk that refuses it is a finding elsewhere; the task is known until the next start. */
  async #keep(task: UpdateTaskRecord): Promise<void> {
    const { store, log } = this.#parts;
    this.#task = task;
    await store.commit([writeOf(task)], []).catch((err: unknown) => {
      log.warn({ err }, "cannot store how the update goes; it is known until the next start");
    });
  }
}

function writeOf(put: UpdateTaskRecord): Write {
  return { table: TASKS, key: KEY, put };
}

/** The service of updates, with its schedule until it is disposed. */
export function openUpdates(options: OpenUpdatesOptions): Updates & Disposable {
  return new UpdateService(options);
}
