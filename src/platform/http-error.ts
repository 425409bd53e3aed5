/**
 * Why a request got no answer.
 * - `refused`: the policy lets no address of the host pass; nothing was sent.
 * - `unresolved`: the host's name has no address.
 * - `unreachable`: no connection came about.
 * - `untrusted`: the server's certificate is not valid for the host.
 * - `broken`: the connection ended, or what came back is no HTTP. The server may have acted on the request.
 */
export type HttpErrorKind = "refused" | "unresolved" | "unreachable" | "untrusted" | "broken";

/** A request without an answer; the message names the host. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly kind: HttpErrorKind;

  constructor(kind: HttpErrorKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.kind = kind;
  }
}
