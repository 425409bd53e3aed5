/** Sends requests: with a token, with a limit of time, and again where that is safe. */
import { ClientError, errorOf } from "./client-error.ts";

/** How the client proves who it is. */
export type Credentials =
  /** The id and secret of `hemgate client create`; the client gets tokens by itself, and new ones in time. */
  | { readonly id: string; readonly secret: string }
  /** Returns a bearer token that somebody else gets. */
  | { readonly token: string | (() => string | Promise<string>) }
  /** A person's session in a browser, on a page of the gateway: its cookie, and the token of `GET /local/session`. */
  | { readonly csrfToken: () => string };

export interface Retries {
  /** How often a request is sent again; 0: never. */
  readonly count: number;
  /** The longest pause, ms. Where the gateway asks for a longer one, the error comes at once. */
  readonly maxWaitMs: number;
}

export interface TransportOptions {
  /** The gateway's address, such as `http://hemgate.local:8080`; `""` in a browser: where the page is from. */
  readonly url: string;
  /** Absent: only what needs no token. */
  readonly credentials?: Credentials;
  /** Version of the API, such as `2024-10-01`; absent: the one that the client is pinned to. */
  readonly version?: string;
  /** `compat.namePrefix` of the gateway's configuration, with which its headers begin. Default: `Service`. */
  readonly namePrefix?: string;
  /** Default: 3 times, with pauses up to 30 s. */
  readonly retries?: Partial<Retries>;
  /** Time in which an answer has to begin, ms. Default: 30 s. */
  readonly timeoutMs?: number;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Waits; rejects when the signal aborts. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export interface Call {
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Sent as JSON; absent: no body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** True if sending it twice has the effect of sending it once. */
  readonly isRepeatable: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly version?: string | undefined;
}

const FIRST_PAUSE_MS = 500;
/** A token is renewed this much before its end. */
const RENEWED_BEFORE_MS = 60_000;
/** The request was not done, or may be done again. */
const AGAIN: ReadonlySet<number> = new Set([0, 408, 429, 500, 502, 503, 504]);

export class Transport {
  readonly #options: TransportOptions;
  readonly #retries: Retries;
  readonly #sleep: NonNullable<TransportOptions["sleep"]>;
  #token: { readonly text: string; readonly untilMs: number } | null = null;
  #renewal: Promise<string> | null = null;

  constructor(options: TransportOptions) {
    this.#options = { ...options, url: options.url.endsWith("/") ? options.url.slice(0, -1) : options.url };
    this.#retries = { count: 3, maxWaitMs: 30_000, ...options.retries };
    this.#sleep = options.sleep ?? sleepFor;
  }

  /** Sends a request. Resolves with an answer below 400, whose body is unread; throws a {@link ClientError} otherwise. */
  async send(call: Call): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const token = await this.#authorization(call);
      const error = await this.#attempt(call, token).then<Response | ClientError, ClientError>(
        answerOrError,
        (cause: unknown) => this.#noAnswer(call, cause),
      );
      if (error instanceof Response) return error;
      call.signal?.throwIfAborted();
      const isRenewed = attempt === 0 && error.status === 401 && this.#forget(token);
      const waitMs = isRenewed ? 0 : this.#pause(call, error, attempt);
      if (waitMs === null) throw error;
      await this.#sleep(waitMs, call.signal);
    }
  }

  /** Waits as long as the next attempt after a failure should, ms from `attempt` 0 on. */
  async backOff(attempt: number, signal?: AbortSignal): Promise<void> {
    await this.#sleep(this.#growing(attempt), signal);
  }

  /** ms to wait before the next attempt; `null`: no more. */
  #pause({ isRepeatable }: Call, { status, retryAfterMs }: ClientError, attempt: number): number | null {
    if (attempt >= this.#retries.count || !AGAIN.has(status)) return null;
    // Too many requests: this one was not done.
    if (!isRepeatable && status !== 429) return null;
    const waitMs = retryAfterMs ?? this.#growing(attempt);
    return waitMs > this.#retries.maxWaitMs ? null : waitMs;
  }

  /** Doubles, and is spread so that clients do not come together. */
  #growing(attempt: number): number {
    const ms = Math.min(FIRST_PAUSE_MS * 2 ** attempt, this.#retries.maxWaitMs);
    return ms * (0.5 + Math.random() / 2);
  }

  #attempt({ method, path, body, headers, version, signal }: Call, authorization: HeaderFields): Promise<Response> {
    const { url, namePrefix = "Service", version: own, timeoutMs = 30_000 } = this.#options;
    const asked = version ?? own;
    return this.#fetch(
      `${url}${path}`,
      {
        method,
        headers: {
          accept: "application/json",
          ...(body !== undefined && { "content-type": "application/json" }),
          ...(asked !== undefined && { [`${namePrefix}-Version`]: asked }),
          ...authorization,
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      },
      timeoutMs,
      signal,
    );
  }

  async #fetch(url: string, init: RequestInit, timeoutMs: number, signal?: AbortSignal): Promise<Response> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
    const signals = signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]);
    const send = this.#options.fetch ?? ((address: string, how: RequestInit) => fetch(address, how));
    try {
      return await send(url, {
        cache: "no-store",
        credentials: "same-origin",
        redirect: "error",
        ...init,
        signal: signals,
      });
    } finally {
      clearTimeout(timer);
    }
  }

  #noAnswer({ signal }: Call, cause: unknown): ClientError {
    signal?.throwIfAborted();
    const message = this.#options.url === "" ? "The gateway does not answer." : `${this.#options.url} does not answer.`;
    return new ClientError({ status: 0, code: "no-answer", message, cause });
  }

  async #authorization({ method, signal }: Call): Promise<HeaderFields> {
    const { credentials } = this.#options;
    if (credentials === undefined) return {};
    if ("csrfToken" in credentials) return method === "GET" ? {} : { "x-csrf-token": credentials.csrfToken() };
    if ("id" in credentials) return bearer(await this.#ownToken(credentials, signal));
    return bearer(typeof credentials.token === "string" ? credentials.token : await credentials.token());
  }

  /** Returns true if another token can be had: this one was valid when it was made. */
  #forget({ authorization }: HeaderFields): boolean {
    const { credentials } = this.#options;
    if (credentials === undefined || "csrfToken" in credentials) return false;
    if ("token" in credentials) return typeof credentials.token !== "string";
    if (authorization === `Bearer ${this.#token?.text}`) this.#token = null;
    return true;
  }

  async #ownToken(credentials: { id: string; secret: string }, signal?: AbortSignal): Promise<string> {
    if (this.#token !== null && Date.now() < this.#token.untilMs) return this.#token.text;
    // Shared by all requests that wait for it, so the end of one of them does not end it.
    this.#renewal ??= this.#renew(credentials).finally(() => {
      this.#renewal = null;
    });
    const text = await this.#renewal;
    signal?.throwIfAborted();
    return text;
  }

  async #renew({ id, secret }: { id: string; secret: string }): Promise<string> {
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id: id, client_secret: secret });
    const call: Call = { method: "POST", path: "/oauth2/token", isRepeatable: true };
    for (let attempt = 0; ; attempt++) {
      const { url, timeoutMs = 30_000 } = this.#options;
      const headers = { "content-type": "application/x-www-form-urlencoded", accept: "application/json" };
      const init = { method: "POST", headers, body: form.toString() };
      const answer = await this.#fetch(`${url}${call.path}`, init, timeoutMs).then<Response | ClientError, ClientError>(
        answerOrError,
        (cause: unknown) => this.#noAnswer(call, cause),
      );
      if (answer instanceof Response) {
        const { access_token: text, expires_in: seconds } = (await answer.json()) as TokenAnswer;
        this.#token = { text, untilMs: Date.now() + seconds * 1_000 - RENEWED_BEFORE_MS };
        return text;
      }
      const waitMs = this.#pause(call, answer, attempt);
      if (waitMs === null) throw answer;
      await this.#sleep(waitMs);
    }
  }
}

async function answerOrError(answer: Response): Promise<Response | ClientError> {
  return answer.ok ? answer : await errorOf(answer);
}

type HeaderFields = Readonly<Record<string, string>>;

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
}

function bearer(token: string): HeaderFields {
  return { authorization: `Bearer ${token}` };
}

function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
