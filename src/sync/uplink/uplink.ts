/** What carries messages to a cloud service and back: MQTT, HTTPS, or a simulated world. */

/** Why a connection ended. `refused`: the other side does not want us under this name or with these credentials. */
export type UplinkEndKind = "lost" | "refused" | "taken-over" | "quota";

export interface UplinkEnd {
  readonly kind: UplinkEndKind;
  /** For the log. */
  readonly reason: string;
  /** How long the other side wants us to stay away, ms; null when it did not say. */
  readonly retryAfterMs: number | null;
}

/** What the owner of a connection is told. Calls arrive in order; nothing follows `closed`. */
export interface UplinkEvents {
  /** A frame arrived, as in `protocol/frame.ts`. It may come twice, and out of order. */
  frame(frame: Uint8Array): void;
  /** There is room for more frames again. */
  drained(): void;
  /** Once: after our dispose too. */
  closed(end: UplinkEnd): void;
}

/** An open way to the cloud service. Disposing ends it at once. */
export interface UplinkConnection extends Disposable {
  /** Such as `mqtt` or `https`, for the log and the progress. */
  readonly name: string;
  /** Frames that it takes now; 0: wait for `drained`. This is a transport's backpressure. */
  readonly credits: number;
  /** Largest frame that it carries, bytes. */
  readonly maxFrameBytes: number;
  /**
   * Hands a frame over. That it was sent, or that a broker has it, means nothing: only the cloud service's `ack` does, so
   * nothing is answered. After the end it does nothing.
   */
  send(frame: Uint8Array, hint: FrameHint): void;
}

/** What a transport may use to route a frame without reading it. */
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
   * Connects and signs in as the gateway. Rejects with an `UplinkError`, or with the signal's reason; nothing is left
   * open then. The caller disposes the connection.
   */
  connect(events: UplinkEvents, signal: AbortSignal): Promise<UplinkConnection>;
}

/** A connection that did not come about. */
export class UplinkError extends Error {
  override readonly name = "UplinkError";
  readonly end: UplinkEnd;

  constructor(end: UplinkEnd, options?: ErrorOptions) {
    super(end.reason, options);
    this.end = end;
  }
}
