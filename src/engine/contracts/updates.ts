import type { UpdateReport } from "../../domain/updates/update-report.ts";

/** What the gateway has to do with its own updates, which another program makes. */
export interface Updates {
  /** Logs and journals how an update went. Rejects with a `StorageError`. */
  report(report: UpdateReport): Promise<void>;
}
