/** What the page asks of the gateway: the documented API, with the session's cookie in place of a token. */

/** An answer that is not what was asked for. `status` is 0 if the gateway did not answer. */
export class ApiError extends Error {
  readonly status: number;
  /** What is wrong with each field of the body. */
  readonly issues: readonly string[];

  constructor(status: number, message: string, issues: readonly string[] = []) {
    super(message);
    this.status = status;
    this.issues = issues;
  }
}

let csrfToken = "";
let onSignedOut: () => void = () => undefined;

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
  const headers: Record<string, string> = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (method !== "GET") headers["x-csrf-token"] = csrfToken;
  const answer = await fetch(path, {
    method,
    headers,
    credentials: "same-origin",
    cache: "no-store",
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).catch(() => {
    throw new ApiError(0, "The gateway does not answer.");
  });
  const text = await answer.text();
  if (answer.ok) return (text === "" ? undefined : JSON.parse(text)) as Answer;
  if (answer.status === 401 && !path.startsWith("/local/session")) onSignedOut();
  throw problemOf(answer, text);
}

function problemOf(answer: Response, text: string): ApiError {
  try {
    const {
      title,
      detail,
      issues = [],
    } = JSON.parse(text) as {
      title?: string;
      detail?: string;
      issues?: readonly { readonly path?: readonly (string | number)[]; readonly message: string }[];
    };
    const list = issues.map(({ path = [], message }) =>
      path.length === 0 ? message : `${path.join(".")}: ${message}`,
    );
    return new ApiError(answer.status, detail ?? title ?? answer.statusText, list);
  } catch {
    return new ApiError(answer.status, answer.statusText);
  }
}
