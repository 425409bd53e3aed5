import { HttpError } from "../../platform/ports/http-error.ts";
import type { HttpStream, HttpStreamEvents, HttpStreams } from "../../platform/ports/http-stream-port.ts";
import type { Clock, Http, HttpAnswer, HttpClient, HttpPolicy } from "../../platform/ports/ports.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import { MAX_MESSAGE_BYTES } from "../protocol/limits.ts";
import { EventStreamReader } from "./event-stream.ts";
import { type Head, headerOf, isFinal, StatusError } from "./https-statuses.ts";

export type Headers = Readonly<Record<string, string>>;

export interface HttpsParts {
  readonly http: Http;
  readonly httpStreams: HttpStreams;
  readonly clock: Clock;
  readonly policy: HttpPolicy;
  /** Base of the gateway's paths, without a slash at its end. */
  readonly base: string;
  /** Id of this connection. */
  readonly id: string;
  /** Returns the headers that sign in; called again after a refusal. */
  credentials(signal: AbortSignal): Promise<Headers>;
}

const EVENT_STREAM = "text/event-stream";
/** Maximum size of an answer: some frames in base64. */
const MAX_ANSWER_BYTES = 4 * MAX_MESSAGE_BYTES;

/** Sends the requests of one connection with its credentials. */
export class HttpsExchange implements Disposable {
  readonly #parts: HttpsParts;
  readonly #client: HttpClient;
  #credentials: Headers;

  constructor(parts: HttpsParts, credentials: Headers) {
    this.#parts = parts;
    this.#credentials = credentials;
    this.#client = parts.http.open(parts.policy);
  }

  /**
   * Sends a request and returns the frames in the answer. Rejects with an `UplinkError` for an error status, with an
   * `HttpError` or a `TimeoutError` if there was no answer, or with the signal's reason.
   */
  async request(
    path: string,
    { headers = {}, body = null }: { readonly headers?: Headers; readonly body?: Uint8Array | null },
    limitMs: number,
    signal: AbortSignal,
  ): Promise<readonly Uint8Array[]> {
    const { clock } = this.#parts;
    const method = body === null ? "GET" : "POST";
    const url = this.#url(path);
    const answer: HttpAnswer = await this.#signedIn(signal, (own) =>
      within(clock, limitMs, signal, (limit) =>
        this.#client.request(
          { method, url, headers: { accept: EVENT_STREAM, ...headers, ...own }, body, maxBodyBytes: MAX_ANSWER_BYTES },
          limit,
        ),
      ),
    );
    const { status } = answer;
    if (status < 200 || status >= 300) throw this.#failure(answer, `${method} ${path}`);
    return isEventStream(answer) && !answer.isBodyCut ? new EventStreamReader().take(answer.body) : [];
  }

  /** Opens a stream of events; `null` if the answer is not such a stream. Rejects as `request` does. */
  async stream(
    path: string,
    headers: Headers,
    events: HttpStreamEvents,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<HttpStream | null> {
    const { clock, httpStreams, policy } = this.#parts;
    const url = this.#url(path);
    const stream = await this.#signedIn(signal, (own) =>
      within(clock, limitMs, signal, (limit) =>
        httpStreams.open({ url, headers: { accept: EVENT_STREAM, ...headers, ...own } }, policy, events, limit),
      ),
    );
    if (stream.status === 200 && isEventStream(stream)) return stream;
    stream[Symbol.dispose]();
    if (isFinal(stream)) throw this.#failure(stream, `GET ${path}`);
    return null;
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  /** Gets new credentials once if they are refused, for tokens that have expired. */
  async #signedIn<Answer extends Head>(
    signal: AbortSignal,
    ask: (own: Headers) => Promise<Answer & Partial<Disposable>>,
  ): Promise<Answer> {
    const own = () => ({ ...this.#credentials, "hemgate-connection": this.#parts.id });
    const answer = await ask(own());
    if (answer.status !== 401) return answer;
    answer[Symbol.dispose]?.();
    this.#credentials = await this.#parts.credentials(signal);
    return await ask(own());
  }

  #url(path: string): URL {
    return new URL(`${this.#parts.base}${path}`);
  }

  #failure(head: Head, what: string): StatusError {
    return new StatusError(head, what, this.#parts.clock.nowMs());
  }
}

function isEventStream(head: Head): boolean {
  return (headerOf(head, "content-type") ?? "").toLowerCase().startsWith(EVENT_STREAM);
}

/** Returns true if there was no answer because of the network. */
export function isNoAnswer(error: unknown): error is HttpError | TimeoutError {
  return error instanceof HttpError || error instanceof TimeoutError;
}
