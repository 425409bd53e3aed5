import type { UpdateReport } from "../../domain/updates/update-report.ts";
import type { UpdateTaskRecord } from "../../store/records/updates.ts";

/** A later version than the one that runs. */
export interface AvailableUpdate {
  readonly version: string;
  /** The configuration has a time at which it is installed. */
  readonly isAutomatic: boolean;
}

/** A look for a later version, or an update. */
export interface UpdateTask extends Omit<UpdateTaskRecord, "isPrepared"> {
  /** `installed`: the later version runs, and is watched. */
  readonly step: "requested" | "prepared" | "installed";
}

/** What the gateway has to do with its own updates, which another program makes. */
export interface Updates {
  /** Whether there is a program that updates the package. */
  readonly isUpdatable: boolean;
  /** Logs and journals how an update goes. Rejects with a `StorageError`. */
  report(report: UpdateReport): Promise<void>;
  /** Returns the later version that is not installed yet; `null` if none is known. */
  available(): AvailableUpdate | null;
  /** Returns the version that was rolled back last; `null` if none was, or if another one was installed and stayed since. */
  rolledBack(): string | null;
  /** Returns what goes on or was the last; `null` if there was none. */
  task(): UpdateTask | null;
  /**
   * Asks to look for a later version, or to update to it. Throws `conflict` while one goes on, and
   * `service-unavailable` where nothing updates the package. A request that cannot be made is a task that failed.
   */
  begin(kind: UpdateTask["kind"]): Promise<UpdateTask>;
}
