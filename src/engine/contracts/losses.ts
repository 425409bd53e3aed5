import type { LossRecord } from "../../store/records/loss.ts";

/** Records of stored data that were found damaged or lost. Reads are from memory. */
export interface StorageLosses {
  list(): readonly LossRecord[];
  get(id: string): LossRecord | null;
  /** Marks a loss as seen by the owner. Throws `not-found`. */
  dismiss(id: string): Promise<LossRecord>;
}
