/**
 * Why a vendor's cloud did not do what was asked.
 * - `login-refused`: the login itself is not valid any more; only the account's owner can help.
 * - `expired`: the access token is; the kit renews it and asks once more, connectors never see it.
 * - `forbidden`: the login lacks a scope, a role or a subscription for this request (HTTP 403).
 * - `refused`: the request was understood and will not be done (HTTP 4xx, or an error in a 200).
 * - `rate-limited`: the vendor wants fewer requests.
 * - `no-budget`: our own budget has none left for this purpose; nothing was sent.
 * - `asleep`: the device behind the cloud sleeps or is not connected to it (HTTP 408, 424 and the like).
 * - `timeout`: no answer in time. A command may have been done.
 * - `unavailable`: no connection, or the vendor's own failure (HTTP 5xx).
 * - `malformed`: an answer that is not what the vendor documents: a portal's page, cut off, another type.
 */
export type CloudErrorKind =
  | "login-refused"
  | "expired"
  | "forbidden"
  | "refused"
  | "rate-limited"
  | "no-budget"
  | "asleep"
  | "timeout"
  | "unavailable"
  | "malformed";

/** Asking again later brings no other answer. */
const LASTING: readonly CloudErrorKind[] = ["forbidden", "refused", "malformed"];

/** A failure of a vendor's cloud. The message says what was asked of whom, and holds no key, token or query. */
export class CloudError extends Error {
  override readonly name = "CloudError";
  readonly kind: CloudErrorKind;
  /** Monotonic ms before which asking again is useless; null when it is not known. */
  readonly notBeforeMs: number | null;

  constructor(kind: CloudErrorKind, message: string, options?: ErrorOptions & { readonly notBeforeMs?: number }) {
    super(message, options);
    this.kind = kind;
    this.notBeforeMs = options?.notBeforeMs ?? null;
  }
}

/** True: the vendor said no, and will again. */
export function isLasting(error: unknown): boolean {
  return error instanceof CloudError && LASTING.includes(error.kind);
}

/** What one of many is asked; null when the vendor says no to that for good, which must not cost the others. */
export async function unlessLasting<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (isLasting(error)) return null;
    throw error;
  }
}
