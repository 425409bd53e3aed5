/** What the page asks of the gateway: the documented API, with the session's cookie in place of a token. */
import { createClient } from "../../client/client.ts";
import { ClientError, type ClientErrorIssue } from "../../client/client-error.ts";
import { MINUTE_MS } from "../../domain/duration.ts";

/** An answer that is not what was asked for. `status` is 0 if the gateway did not answer. */
export class ApiError extends Error {
  readonly status: number;
  /** What is wrong with each field of the body. */
  readonly issues: readonly ClientErrorIssue[];

  constructor(status: number, message: string, issues: readonly ClientErrorIssue[] = []) {
    super(message);
    this.status = status;
    this.issues = issues;
  }
}

/** What failed on the page itself; its message is in the language of the page. */
export class PageError extends Error {}

let csrfToken = "";
let onSignedOut: () => void = () => undefined;

/** Longer than a backup is checked on a slow card. */
const TIMEOUT_MS = 10 * MINUTE_MS;

/** What is shown asks again by itself, and a person sees at once that the gateway is away. */
const client = createClient({
  url: "",
  credentials: { csrfToken: () => csrfToken },
  retries: { count: 0 },
  timeoutMs: TIMEOUT_MS,
});

/** Takes the token that proves that a request comes from this page. */
export function useCsrfToken(token: string): void {
  csrfToken = token;
}

/** Calls the listener when an answer says that the session has ended. */
export function whenSignedOut(listener: () => void): void {
  onSignedOut = listener;
}

/** Asks whether the session goes on, and calls the listener if it has ended. */
export async function checkSession(): Promise<void> {
  await ask("GET", "/local/session").catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) onSignedOut();
  });
}

/** Sends a request; returns the body of the answer, `undefined` if it has none. Throws {@link ApiError}. */
export async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  try {
    return await client.request<Answer>(method, path, { body });
  } catch (error) {
    if (!(error instanceof ClientError)) throw error;
    const { status, message, issues } = error;
    if (status === 401 && !path.startsWith("/local/session")) onSignedOut();
    throw new ApiError(status, message, issues);
  }
}
