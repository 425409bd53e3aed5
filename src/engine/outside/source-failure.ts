/** Why a question to a source got nothing, named in one way for all sources. */
import type { SourceProblemKind } from "../../domain/source-problem.ts";
import { retryAfterMs } from "../../platform/network/retry-after.ts";
import { HttpError } from "../../platform/ports/http-error.ts";
import { TimeoutError } from "../../platform/within.ts";
import type { OutsideAnswer, OutsideQuestion } from "./outside-client.ts";

const LONGEST_REST_MS = 24 * 3_600_000;
/** A refusal and a page in between are told apart by their first characters. */
const LOOKED_AT_BYTES = 1_000;
/** Who is asked at a bad moment; what was asked is not to blame. */
const PASSING: ReadonlySet<number> = new Set([408, 425]);

export interface SourceFailure {
  readonly kind: SourceProblemKind;
  /** In English; names host and status only. */
  readonly text: string;
  /** How long the source wants to be left alone, ms; null: it did not say. */
  readonly retryAfterMs: number | null;
  /** False: nothing was sent. */
  readonly wasSent: boolean;
}

type Sent = Pick<OutsideQuestion, "url" | "headers">;

/** What an answer that is no 2xx means. */
export function statusFailure(answer: OutsideAnswer, { url, headers: sent }: Sent, nowMs: number): SourceFailure {
  const { status, headers } = answer;
  const restMs = retryAfterMs({ retryAfter: headers["retry-after"], date: headers["date"] }, nowMs);
  return {
    kind: kindOf(answer, "authorization" in sent),
    text: `${url.hostname} answered ${status}`,
    retryAfterMs: restMs === null ? null : Math.min(restMs, LONGEST_REST_MS),
    wasSent: true,
  };
}

/** An answer with a good status says something else than the source documents. */
export function malformed(text: string): SourceFailure {
  return { kind: "malformed", text, retryAfterMs: null, wasSent: true };
}

/** What became of a question that nobody answered. */
export function unansweredFailure(error: unknown, host: string): SourceFailure {
  const unreachable = { kind: "unreachable", retryAfterMs: null } as const;
  if (error instanceof TimeoutError) {
    return { ...unreachable, text: `${host} did not answer within ${error.limitMs / 1_000} s`, wasSent: true };
  }
  if (!(error instanceof HttpError)) throw error;
  return { ...unreachable, text: error.message, wasSent: error.kind === "broken" };
}

/** Redirects are not followed, and answer nothing. */
function kindOf({ status, body }: OutsideAnswer, isSignedIn: boolean): SourceProblemKind {
  if (status < 400) return "malformed";
  if (status === 429) return "rate-limited";
  // 403 is also what shields in front of servers say for an hour, of whoever comes without a key.
  const isPassing = status >= 500 || PASSING.has(status) || (status === 403 && !isSignedIn);
  return !isPassing && isOwnWord(body) ? "refused" : "unavailable";
}

/** A page with such a status comes from something in between: sources refuse in JSON or XML. */
function isOwnWord(body: Uint8Array): boolean {
  const text = new TextDecoder().decode(body.subarray(0, LOOKED_AT_BYTES)).trimStart();
  return /^[{[<]/.test(text) && !/<(?:!doctype )?html/i.test(text);
}
