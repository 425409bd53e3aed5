/** Stored data that were found damaged or lost. */
export interface LossRecord {
  readonly id: string;
  /** Wall-clock ms at which it was found. */
  readonly foundAtMs: number;
  /** What was damaged, where the original is kept, and what was restored, in words. */
  readonly details: readonly string[];
  readonly state: "OPEN" | "DISMISSED";
}
