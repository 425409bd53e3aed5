/** Maps HTTP statuses to the end of a connection and the delay before the next one. */
import { DAY_MS } from "../../domain/duration.ts";
import { retryAfterMs } from "../../platform/network/retry-after.ts";
import { type UplinkEnd, type UplinkEndKind, UplinkError } from "./uplink.ts";

/** A request was answered with an error status. */
export class StatusError extends UplinkError {
  readonly status: number;

  constructor(head: Head, what: string, nowMs: number) {
    super(endOf(head, what, nowMs));
    this.status = head.status;
  }
}

/** Other statuses are `lost`: the same request may succeed later. */
const KINDS: Readonly<Record<number, UplinkEndKind>> = {
  // Wrong credentials, unknown gateway or unknown path: waiting does not help.
  401: "refused",
  403: "refused",
  404: "refused",
  410: "refused",
  // The gateway has a newer connection.
  409: "taken-over",
  429: "quota",
};
const MAX_RETRY_AFTER_MS = DAY_MS;

export type Head = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
};

export function headerOf({ headers }: Head, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}

/** Returns true if a repeated request would get the same answer. */
export function isFinal({ status }: Head): boolean {
  return KINDS[status] !== undefined || isRedirect(status);
}

function endOf(head: Head, what: string, nowMs: number): UplinkEnd {
  const { status } = head;
  const received = { retryAfter: headerOf(head, "retry-after"), date: headerOf(head, "date") };
  const waitMs = retryAfterMs(received, nowMs);
  return {
    // Redirects are not followed, because they would get the token: the configuration has to name the new address.
    kind: KINDS[status] ?? (isRedirect(status) ? "refused" : "lost"),
    reason: `${what} is answered ${status}${isRedirect(status) ? `, to ${headerOf(head, "location") ?? "nowhere"}` : ""}`,
    retryAfterMs: waitMs === null ? null : Math.min(waitMs, MAX_RETRY_AFTER_MS),
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}
