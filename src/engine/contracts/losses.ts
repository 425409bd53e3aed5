import type { LossRecord } from "../../store/records/loss.ts";

/** Stored data that were found damaged or lost, over restarts. Reads are from memory. */
export interface StorageLosses {
  list(): readonly LossRecord[];
  get(id: string): LossRecord | null;
  /** The owner knows of it. Throws `not-found`. */
  dismiss(id: string): Promise<LossRecord>;
}
