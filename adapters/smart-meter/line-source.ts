import type { ReadOutcome } from "./telegram.ts";

/** What a line tells its owner. */
export interface SourceEvents {
  /** So many bytes came. */
  received(count: number): void;
  outcome(outcome: ReadOutcome): void;
}

/** A way to get telegrams: it runs until the signal aborts, or rejects with a `DeviceError` when the line fails. */
export type LineSource = (events: SourceEvents, signal: AbortSignal) => Promise<never>;
