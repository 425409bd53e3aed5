/** What statuses of HTTP mean for who wants to come back. */
import { retryAfterMs } from "../../platform/network/retry-after.ts";
import { type UplinkEnd, type UplinkEndKind, UplinkError } from "./uplink.ts";

/** A request that was answered with a status that is no success. */
export class StatusError extends UplinkError {
  readonly status: number;

  constructor(head: Head, what: string, nowMs: number) {
    super(endOf(head, what, nowMs));
    this.status = head.status;
  }
}

/** Whoever is not named here is `lost`: the same request may be answered a little later. */
const KINDS: Readonly<Record<number, UplinkEndKind>> = {
  // Not with these credentials; no gateway of that name, or no such path. Waiting helps against none of them.
  401: "refused",
  403: "refused",
  404: "refused",
  410: "refused",
  // A newer connection of this gateway is known.
  409: "taken-over",
  429: "quota",
};
const MAX_RETRY_AFTER_MS = 86_400_000;

export type Head = {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
};

export function headerOf({ headers }: Head, name: string): string | undefined {
  return headers.find(([each]) => each === name)?.[1];
}

export function isFinal({ status }: Head): boolean {
  return KINDS[status] !== undefined || isRedirect(status);
}

function endOf(head: Head, what: string, nowMs: number): UplinkEnd {
  const { status } = head;
  const told = { retryAfter: headerOf(head, "retry-after"), date: headerOf(head, "date") };
  const waitMs = retryAfterMs(told, nowMs);
  return {
    // Whoever is sent elsewhere would take its token there: the configuration has to name the place.
    kind: KINDS[status] ?? (isRedirect(status) ? "refused" : "lost"),
    reason: `${what} is answered ${status}${isRedirect(status) ? `, to ${headerOf(head, "location") ?? "nowhere"}` : ""}`,
    retryAfterMs: waitMs === null ? null : Math.min(waitMs, MAX_RETRY_AFTER_MS),
  };
}

function isRedirect(status: number): boolean {
  return status >= 300 && status < 400 && status !== 304;
}
