/** Where a batch belongs. */
export interface Place {
  readonly gateway: string;
  readonly stream: string;
  readonly epoch: string;
  /** Orders the epochs of the stream. */
  readonly turn: number;
}

/** Streams that this service keeps; another one is not acknowledged and stays at the gateway. */
export const STREAMS: readonly string[] = ["event", "state", "telemetry"];

/** Numbers of this stream may be missing without a gap: a later one of the same entity took their place. */
export const STATE = "state";
