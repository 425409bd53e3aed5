/** The port for WebSockets (RFC 6455) to servers elsewhere. It stands with the others in `ports.ts`. */
import type { HttpPolicy } from "./http-port.ts";

/** Shaking hands, ms: the look-up, the connection, TLS and the server's answer. */
export const HANDSHAKE_MS = 15_000;
/** What may wait to be sent before the connection is given up, bytes: the server does not read any more. */
export const MAX_UNSENT_BYTES = 256 * 1024;

export interface WebSocketRequest {
  /** `ws:` or `wss:`. A user and password in it are not sent. */
  readonly url: URL;
  /** Of the handshake; names in lower case. `host` and those of the protocol are the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** A longer message, in UTF-8 bytes, ends the connection before it is gathered. */
  readonly maxMessageBytes: number;
  /** Called once when the handshake is on its way, before any answer; never while nobody takes the connection. */
  readonly onSent?: () => void;
}

/** The events of a connection. Calls arrive in order; nothing follows `closed`. */
export interface WebSocketEvents {
  /** One whole message. One that is no text ends the connection. */
  text(message: string): void;
  /** Once: after our dispose or the server's close (no error), or after a failure, an `HttpError`. */
  closed(error: Error | null): void;
}

/** An open connection. Its owner disposes it; disposing ends it at once. */
export interface WebSocketConnection extends Disposable {
  /** Queues a text message. After close it does nothing; a queue that grows too long ends the connection. */
  send(message: string): void;
}

export interface WebSockets {
  /**
   * Opens a connection under the policy, as the `Http` port does: to an address that it let pass and no other, with a
   * certificate that is trusted, without following redirects. One that goes silent is noticed by pings within a minute.
   * Rejects with an `HttpError`, a `HandshakeRefused`, or the signal's reason; in each case no socket is left behind.
   */
  open(
    request: WebSocketRequest,
    policy: HttpPolicy,
    events: WebSocketEvents,
    signal: AbortSignal,
  ): Promise<WebSocketConnection>;
}
