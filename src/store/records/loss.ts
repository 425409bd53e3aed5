/** A loss of stored data. */
export interface LossRecord {
  readonly id: string;
  /** Wall-clock ms of the discovery. */
  readonly foundAtMs: number;
  /** Texts for people: what was damaged, where the original is kept, and what was restored. */
  readonly details: readonly string[];
  readonly state: "OPEN" | "DISMISSED";
}
