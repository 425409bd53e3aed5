/** Why a request to a gateway failed. */

/** One fault in a request, as the gateway lists them. */
export interface ClientErrorIssue {
  /** Names and positions that lead to the value, from the body, the query or the path. */
  readonly path: readonly (string | number)[];
  /** The reason for programs, such as `invalid_type`; empty if the gateway gives none. */
  readonly code: string;
  readonly message: string;
}

export interface ClientErrorParts {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId?: string | null;
  readonly issues?: readonly ClientErrorIssue[];
  readonly retryAfterMs?: number | null;
  readonly body?: unknown;
  readonly cause?: unknown;
}

/** A request that was answered by a problem, or not at all. The message is for people, the code for programs. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** HTTP status; 0 if no answer came. */
  readonly status: number;
  /** The last part of the problem's type, such as `not-found`; `no-answer` if no answer came. */
  readonly code: string;
  /** Names the request in the gateway's log; `null` if the answer has none. */
  readonly requestId: string | null;
  /** What is wrong with each field; empty if the gateway lists nothing. */
  readonly issues: readonly ClientErrorIssue[];
  /** Time after which the gateway takes the request, ms; `null` if it does not say. */
  readonly retryAfterMs: number | null;
  /** The body of the answer as far as it is JSON; a cancellation that came too late answers 409 with the action. */
  readonly body: unknown;

  constructor({ status, code, message, requestId, issues, retryAfterMs, body, cause }: ClientErrorParts) {
    super(message, { cause });
    this.status = status;
    this.code = code;
    this.requestId = requestId ?? null;
    this.issues = issues ?? [];
    this.retryAfterMs = retryAfterMs ?? null;
    this.body = body;
  }
}

interface Problem {
  readonly type?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly issues?: readonly (Partial<ClientErrorIssue> & { readonly message: string })[];
  /** Of RFC 6749, from the token's path. */
  readonly error?: string;
  readonly error_description?: string;
}

/** Returns the error that an answer is. Reads its body. */
export async function errorOf(answer: Response): Promise<ClientError> {
  const { status, headers, statusText } = answer;
  const body = await answer.json().catch(() => undefined);
  const problem: Problem = typeof body === "object" && body !== null ? body : {};
  return new ClientError({
    status,
    code: problem.error ?? problem.type?.split("/").at(-1) ?? `http-${status}`,
    message: problem.detail ?? problem.error_description ?? problem.title ?? (statusText || `HTTP ${status}`),
    requestId: headers.get("x-request-id"),
    issues: (problem.issues ?? []).map(({ path = [], code = "", message }) => ({ path, code, message })),
    retryAfterMs: waitOf(headers, status),
    body,
  });
}

/** What the headers ask to wait, ms; `null` if nothing. */
function waitOf(headers: Headers, status: number): number | null {
  const after = headers.get("retry-after") ?? (status === 429 ? headers.get("ratelimit-reset") : null);
  if (after === null || after.trim() === "") return null;
  const seconds = Number(after);
  const ms = Number.isNaN(seconds) ? Date.parse(after) - Date.now() : seconds * 1_000;
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}
