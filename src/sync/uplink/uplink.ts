/** The transport between the gateway and a cloud service: MQTT, HTTPS, or a simulated network. */

/** Why a connection ended. `refused`: the server refuses this name or these credentials. */
export type UplinkEndKind = "lost" | "refused" | "taken-over" | "quota";

export interface UplinkEnd {
  readonly kind: UplinkEndKind;
  /** A text for the log. */
  readonly reason: string;
  /** Delay that the server requests before the next connection, ms; `null` if it requests none. */
  readonly retryAfterMs: number | null;
}

/** The events of a connection. Calls arrive in order; nothing follows `closed`. */
export interface UplinkEvents {
  /** A frame was received, see `protocol/frame.ts`. Frames may arrive twice, and out of order. */
  frame(frame: Uint8Array): void;
  /** The connection can take more frames again. */
  drained(): void;
  /** The connection has ended. Called once, also after a dispose by the owner. */
  closed(end: UplinkEnd): void;
}

/** An open connection to the cloud service. Disposing it ends it at once. */
export interface UplinkConnection extends Disposable {
  /** Such as `mqtt` or `https`, for the log and the progress. */
  readonly name: string;
  /** Frames that can be sent now; 0: wait for `drained`. This is the transport's backpressure. */
  readonly credits: number;
  /** Maximum size of a frame, bytes. */
  readonly maxFrameBytes: number;
  /**
   * Sends a frame. There is no result: that a broker has the frame means nothing, only the cloud service's `ack`
   * counts. After the end it does nothing.
   */
  send(frame: Uint8Array, hint: FrameHint): void;
}

/** Data with which a transport can route a frame without parsing it. */
export type FrameHint =
  | { readonly kind: "hello" }
  | {
      readonly kind: "batch";
      readonly stream: string;
      readonly epoch: string;
      readonly from: number;
      readonly through: number;
    };

/** A transport. */
export interface Uplink {
  /**
   * Connects and signs in as the gateway. Rejects with an `UplinkError`, or with the signal's reason; nothing stays
   * open then. The caller disposes the connection.
   */
  connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection>;
}

/** A connection that failed. */
export class UplinkError extends Error {
  override readonly name = "UplinkError";
  readonly end: UplinkEnd;

  constructor(end: UplinkEnd, options?: ErrorOptions) {
    super(end.reason, options);
    this.end = end;
  }
}
