/** The port for answers over HTTP that do not end. It stands with the others in `ports.ts`. */
import type { HttpPolicy, HttpRequest } from "./http-port.ts";

/** The events of a stream. Calls arrive in order; nothing follows `closed`. */
export interface HttpStreamEvents {
  /** A piece of the answer's body, as it came. */
  data(bytes: Uint8Array): void;
  /** Once: after our dispose or the body's end (no error), or after a failure, an `HttpError`. */
  closed(error: Error | null): void;
}

/** An answer whose body is still coming. Its owner disposes it; disposing ends the connection at once. */
export interface HttpStream extends Disposable {
  readonly status: number;
  /** Name in lower case and value, in the order received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface HttpStreams {
  /**
   * Sends a request under the policy, as the `Http` port does, on a separate connection, and resolves with the head of
   * the answer, whatever its status. Rejects with an `HttpError`, or with the signal's reason; no socket is left behind
   * then. The caller has to notice a server that goes silent.
   */
  open(
    request: Pick<HttpRequest, "url" | "headers">,
    policy: HttpPolicy,
    events: HttpStreamEvents,
    signal: AbortSignal,
  ): Promise<HttpStream>;
}
