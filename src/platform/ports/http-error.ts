import type { ReachFault } from "../../points/device-error.ts";

/**
 * Why a request got no answer.
 * - `refused`: the policy lets no address of the host pass; nothing was sent.
 * - `unresolved`: the host's name has no address.
 * - `unreachable`: no connection came about.
 * - `untrusted`: the server's certificate is not valid for the host.
 * - `broken`: the connection ended, or what came back is no HTTP. The server may have acted on the request.
 */
export type HttpErrorKind = "refused" | "unresolved" | "unreachable" | "untrusted" | "broken";

/** What is wrong on the way, where the kind alone says it. */
const REASONS: Readonly<Partial<Record<HttpErrorKind, ReachFault>>> = {
  refused: "outside-house",
  unresolved: "name-not-found",
};

/** A request without an answer; the message names the host. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly kind: HttpErrorKind;
  /** Of a host in the house; null where it is not known. */
  readonly reason: ReachFault | null;

  constructor(kind: HttpErrorKind, message: string, options?: ErrorOptions & { readonly reason?: ReachFault | null }) {
    super(message, options);
    this.kind = kind;
    this.reason = options?.reason ?? REASONS[kind] ?? null;
  }
}
