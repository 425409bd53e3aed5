/** The failures of requests to sources of prices and forecasts. */
import { DAY_MS } from "../../domain/duration.ts";
import type { SourceProblemKind } from "../../domain/source-problem.ts";
import { retryAfterMs } from "../../platform/network/retry-after.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import { TimeoutError } from "../../platform/within.ts";
import type { ExternalAnswer, ExternalRequest } from "./external-http-client.ts";

const MAX_PAUSE_MS = DAY_MS;
/** The first bytes of an answer show whether the source itself refuses, or a proxy in between. */
const INSPECTED_BYTES = 1_000;
/** Statuses of a temporary problem that the request did not cause. */
const TEMPORARY: ReadonlySet<number> = new Set([408, 425]);

/** Why a request got no data. */
export interface SourceFailure {
  readonly kind: SourceProblemKind;
  /** In English; names host and status only. */
  readonly text: string;
  /** The pause that the source asks for, ms; `null` if it names none. */
  readonly retryAfterMs: number | null;
  /** False if nothing was sent. */
  readonly wasSent: boolean;
}

type SentRequest = Pick<ExternalRequest, "url" | "headers">;

/** Returns the failure of an answer with a status other than 2xx. */
export function statusFailure(
  answer: ExternalAnswer,
  { url, headers: sent }: SentRequest,
  nowMs: number,
): SourceFailure {
  const { status, headers } = answer;
  const pauseMs = retryAfterMs({ retryAfter: headers["retry-after"], date: headers["date"] }, nowMs);
  return {
    kind: kindOf(answer, "authorization" in sent),
    text: `${url.hostname} answered ${status}`,
    retryAfterMs: pauseMs === null ? null : Math.min(pauseMs, MAX_PAUSE_MS),
    wasSent: true,
  };
}

/** Returns the failure of a 2xx answer whose content is not as documented. */
export function malformed(text: string): SourceFailure {
  return { kind: "malformed", text, retryAfterMs: null, wasSent: true };
}

/** Returns the failure of a request without an answer. Throws errors that are neither a timeout nor an HTTP error. */
export function unansweredFailure(error: unknown, host: string): SourceFailure {
  const unreachable = { kind: "unreachable", retryAfterMs: null } as const;
  if (error instanceof TimeoutError) {
    return { ...unreachable, text: `${host} did not answer within ${error.limitMs / 1_000} s`, wasSent: true };
  }
  if (!(error instanceof HttpError)) throw error;
  return { ...unreachable, text: error.message, wasSent: error.kind === "broken" };
}

/** Returns the kind of problem that a status other than 2xx means. Redirects are not followed. */
function kindOf({ status, body }: ExternalAnswer, isSignedIn: boolean): SourceProblemKind {
  if (status < 400) return "malformed";
  if (status === 429) return "rate-limited";
  // Protection services in front of a server answer 403 for an hour to clients without a key.
  const isTemporary = status >= 500 || TEMPORARY.has(status) || (status === 403 && !isSignedIn);
  return !isTemporary && isFromSource(body) ? "refused" : "unavailable";
}

/** True if the source itself refuses: sources refuse in JSON or XML, proxies with an HTML page. */
function isFromSource(body: Uint8Array): boolean {
  const text = new TextDecoder().decode(body.subarray(0, INSPECTED_BYTES)).trimStart();
  return /^[{[<]/.test(text) && !/<(?:!doctype )?html/i.test(text);
}
