/** The port for HTTP requests. It stands with the others in `ports.ts`. */

/** A request to a server elsewhere. Time is limited by the signal that goes with it. */
export interface HttpRequest {
  /** The last three are WebDAV's. */
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "PROPFIND" | "MKCOL" | "MOVE";
  /** `http:` or `https:`. A user and password in it are not sent. */
  readonly url: URL;
  /** Names in lower case. `host`, `content-length` and `connection` are the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none. */
  readonly body: Uint8Array | null;
  /** Sent instead of `body`, which is null then, a piece at a time as the connection takes them. */
  readonly content?: HttpContent;
  /** The answer's body is cut after so many bytes, and the connection closed. */
  readonly maxBodyBytes: number;
  /** Called once when all of it is on its way, before any answer; never while nobody takes the connection. */
  readonly onSent?: () => void;
}

/** A body that does not fit into memory. */
export interface HttpContent {
  /** Bytes of all pieces together, which the server is sent first. */
  readonly bytes: number;
  readonly pieces: AsyncIterable<Uint8Array>;
}

export interface HttpAnswer {
  readonly status: number;
  /** Name in lower case and value, in the order received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** As sent: content encodings are not undone. */
  readonly body: Uint8Array;
  readonly isBodyCut: boolean;
}

/**
 * Trust in a server that signs its own certificate, as devices in the house do. What is pinned is the certificate
 * itself; its name, dates and issuer do not count.
 */
export interface PinnedCertificate {
  readonly kind: "pinned";
  /** SHA-256 of the whole certificate, 64 hexadecimal digits, with or without colons. Null: the first one is trusted. */
  readonly sha256: string | null;
  /** Called at each new connection with the trusted certificate's fingerprint, in lower case without colons, to be kept. */
  seen(sha256: string): void;
  /** The name that the server is asked for (SNI); default the URL's host, or none for an address. */
  readonly serverName?: string;
}

/** A certificate of the client's own: PEM, its issuers after it, and the key. */
interface ClientCertificate {
  readonly pem: string;
  readonly keyPem: string;
}

/** The server's certificate is verified for the URL's host, as ever, and what is shown and trusted is the caller's own. */
export interface VerifiedServer {
  readonly kind: "verified";
  /** PEM of the authorities to trust, instead of the usual ones; default: those. */
  readonly authoritiesPem?: string | undefined;
  /** Shown to a server that asks for one. */
  readonly certificate?: ClientCertificate | undefined;
}

/** Whom a client may reach, and whom it trusts. */
export interface HttpPolicy {
  /**
   * Asked about each IP address before anything is sent there, one that stands in the URL included: why not to connect
   * to it, in words; null lets it pass.
   */
  refuse(address: string): string | null;
  /** Default: certificates are verified for the URL's host, by the usual authorities. */
  readonly tls?: PinnedCertificate | VerifiedServer;
}

/** Requests under one policy. Disposing it closes its connections; requests under way fail. */
export interface HttpClient extends Disposable {
  /**
   * Resolves the host, connects to an address that the policy let pass and to no other, and answers what came back,
   * whatever its status: redirects are not followed. Nothing is sent before the certificate is trusted. Rejects with an `HttpError`, or with
   * the signal's reason.
   */
  request(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer>;
}

export interface Http {
  /** Opens a client that shares no connection with others. The caller disposes it. */
  open(policy: HttpPolicy): HttpClient;
}
