/** Asks for updates at the times of the configuration, and journals how they went. */
import type { Config } from "../../config/config.ts";
import type { UpdateReport } from "../../domain/updates/update-report.ts";
import type { Cron, Log } from "../../platform/ports/ports.ts";
import type { UpdateRequest, UpdateRequests } from "../../platform/ports/update-requests-port.ts";
import type { Write } from "../../store/records.ts";
import type { OpenedStore } from "../../store/store.ts";
import type { AvailableUpdate, Updates } from "../contracts/updates.ts";

export interface OpenUpdatesOptions {
  readonly store: Pick<OpenedStore, "get" | "commit">;
  /** The version that runs; `undefined` if it is not known. */
  readonly version?: string | undefined;
  readonly cron: Cron;
  readonly log: Log;
  /** Absent: nothing updates the package, and the times of the configuration are not used. */
  readonly updates?: UpdateRequests | undefined;
  readonly config: Pick<Config, "update" | "site">;
}

const LEVELS = { available: "info", kept: "info", "rolled-back": "warn", failed: "error" } as const;
const TEXTS = {
  available: "a later version is available",
  kept: "this version was ready after an update, and stays",
  "rolled-back": "this version is back in place of a later one, with its state from before",
  failed: "the update was not made; the next one is tried at its time",
} as const;

const TABLE = "available-update";
const KEY = "current";
/** The version that was rolled back last, until another one stays. */
const ROLLED_BACK = "rolled-back";

/** A version that was rolled back is not offered again; after a failure it still is. */
function recordOf(how: UpdateReport): readonly Write[] {
  if (how.outcome === "failed") return [];
  if (how.outcome === "available") return [{ table: TABLE, key: KEY, put: { version: how.to } }];
  const rolledBack = how.outcome === "kept" ? ({ remove: true } as const) : { put: { version: how.to } };
  return [
    { table: TABLE, key: KEY, remove: true },
    { table: TABLE, key: ROLLED_BACK, ...rolledBack },
  ];
}

/** The service of updates, with its schedule until it is disposed. */
export function openUpdates({ store, version, cron, log, updates, config }: OpenUpdatesOptions): Updates & Disposable {
  const { timezone: timeZone } = config.site;
  const { check, window } = config.update;
  const report = async (how: UpdateReport): Promise<void> => {
    const { outcome, ...payload } = how;
    log[LEVELS[outcome]](payload, TEXTS[outcome]);
    await store.commit(recordOf(how), [{ event: `system:update:${outcome}`, payload }]);
  };
  const ask = async (what: UpdateRequest): Promise<void> => {
    try {
      await updates?.request(what);
    } catch (err) {
      log.error({ err }, `the update cannot be asked for (${what}); the next one is tried at its time`);
    }
  };
  const versionAt = (key: string): string | null => {
    const known = store.get(TABLE, key)?.version ?? null;
    // It may have been installed by hand.
    return known === version ? null : known;
  };
  const rolledBack = (): string | null => versionAt(ROLLED_BACK);
  const available = (): AvailableUpdate | null => {
    const known = versionAt(KEY);
    return known === null || known === rolledBack() ? null : { version: known, isAutomatic: window !== undefined };
  };
  const jobs = new DisposableStack();
  const schedule = (expression: string | undefined, what: UpdateRequest): void => {
    if (expression !== undefined) jobs.use(cron.schedule({ expression, timeZone }, () => void ask(what)));
  };
  schedule(check, "check");
  schedule(window, "install");
  return { report, available, rolledBack, [Symbol.dispose]: () => jobs.dispose() };
}
