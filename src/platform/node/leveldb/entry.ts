/** What a log or a table says of a key. */
export interface Entry {
  /** As `sortable` gives it. */
  readonly key: string;
  readonly seq: number;
  /** Null: the key was removed. */
  readonly value: Uint8Array | null;
}

/** Whether a value is what was written for its key: how new it is by what it says itself, or null. */
export type Proof = (key: string, value: Uint8Array) => bigint | null;

/** What is left of a place that is damaged. */
export interface Wreck {
  /** Values that are what was written; their sequence numbers are not to be relied on. */
  readonly saved: readonly Entry[];
  /** Keys that may have been there, both included. */
  readonly from: string;
  readonly to: string;
}

/** After each key that is UTF-8. */
export const LAST_KEY = "\xff";
