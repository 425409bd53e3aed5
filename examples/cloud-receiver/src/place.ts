/** Where a batch belongs. */
export interface Place {
  readonly gateway: string;
  readonly stream: string;
  readonly epoch: string;
  /** Orders the epochs of the stream. */
  readonly turn: number;
}

/** Each number of this stream is a record or in a gap; in the other ones some may be neither. */
export const EVENT = "event";
export const STATE = "state";
export const TELEMETRY = "telemetry";

/** Streams that this service keeps; another one is not acknowledged and stays at the gateway. */
export const STREAMS: readonly string[] = [EVENT, STATE, TELEMETRY];
