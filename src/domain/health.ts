/** When the gateway is not nominal (supplement 6.4). */

/** A wall clock before 2024-01-01 was never set. */
const EARLIEST_NOW_MS = Date.UTC(2024, 0, 1);

export interface HealthSigns {
  /** The critical database takes writes. */
  readonly isStoreWritable: boolean;
  /** Wall-clock ms. */
  readonly nowMs: number;
}

/** What is not nominal, in words; empty when all is well. */
export function notNominal({ isStoreWritable, nowMs }: HealthSigns): readonly string[] {
  return [
    ...(isStoreWritable ? [] : ["the database takes no writes"]),
    ...(nowMs >= EARLIEST_NOW_MS ? [] : ["the clock is not set"]),
  ];
}
