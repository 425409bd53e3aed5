import type { ExportQuery } from "../../domain/export/export-query.ts";

/** A file that is made while it is read. */
export interface ExportFile {
  readonly mediaType: string;
  /** Such as `hemgate-hour-2026-03-01.csv`. */
  readonly name: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Readings and energy of the history as files. */
export interface Exports {
  /**
   * Begins an export; a page of it is in memory at a time. Rejects with `not-found` for an unknown device, `bad-request` for
   * an invalid time and for a resolution that is not kept that long, and a `StorageError` while the history cannot be read.
   */
  open(query: ExportQuery): Promise<ExportFile>;
}
