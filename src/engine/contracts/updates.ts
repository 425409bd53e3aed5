import type { UpdateReport } from "../../domain/updates/update-report.ts";

/** A later version than the one that runs. */
export interface AvailableUpdate {
  readonly version: string;
  /** The configuration has a time at which it is installed. */
  readonly isAutomatic: boolean;
}

/** What the gateway has to do with its own updates, which another program makes. */
export interface Updates {
  /** Logs and journals how an update went. Rejects with a `StorageError`. */
  report(report: UpdateReport): Promise<void>;
  /** Returns the later version that is not installed yet; `null` if none is known. */
  available(): AvailableUpdate | null;
  /** Returns the version that was rolled back last; `null` if none was, or if another one was installed and stayed since. */
  rolledBack(): string | null;
}
