import { refuseAddress } from "../../platform/network/address-policy.ts";
import type { Clock, Http, HttpAnswer, HttpClient, Log } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import { malformed, type SourceFailure, statusFailure, unansweredFailure } from "./source-failure.ts";

const ANSWER_MS = 30_000;
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** A request to a service on the internet. It may contain a key, so logs and errors name only its host. */
export interface ExternalRequest {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

/** The answer of a service on the internet. */
export interface ExternalAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** `failure` is `null` for a complete 2xx answer. A failure has the answer that caused it, if there was one. */
export type ExternalResult =
  | { readonly failure: null; readonly answer: ExternalAnswer }
  | { readonly failure: SourceFailure; readonly answer: ExternalAnswer | null };

export interface ExternalHttpClientParts {
  readonly clock: Clock;
  readonly http: Http;
  readonly log: Log;
}

/** Sends requests to services on the internet: public addresses only, limited in size and time, with no key in logs. */
export class ExternalHttpClient implements Disposable {
  readonly #parts: ExternalHttpClientParts;
  readonly #client: HttpClient;

  constructor(parts: ExternalHttpClientParts) {
    this.#parts = parts;
    this.#client = parts.http.open({ refuse: (address) => refuseAddress(address, "internet") });
  }

  /** Sends a request. Rejects only if the signal is aborted. */
  async request(external: ExternalRequest, signal: AbortSignal): Promise<ExternalResult> {
    const { clock, log } = this.#parts;
    const { method, url, headers, body } = external;
    const host = url.hostname;
    const request = {
      method,
      url,
      headers: { "accept-encoding": "identity", "user-agent": "hemgate", ...headers },
      body: body === null ? null : new TextEncoder().encode(body),
      maxBodyBytes: MAX_BODY_BYTES,
    };
    try {
      const wire = await within(clock, ANSWER_MS, signal, (inTime) => this.#client.request(request, inTime));
      log.debug({ host, status: wire.status, bytes: wire.body.length }, "external service answered");
      return this.#resultOf(wire, external);
    } catch (error) {
      signal.throwIfAborted();
      return { failure: unansweredFailure(error, host), answer: null };
    }
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  #resultOf({ status, headers, body, isBodyCut }: HttpAnswer, request: ExternalRequest): ExternalResult {
    const answer = { status, headers: Object.fromEntries(headers), body };
    const nowMs = this.#parts.clock.nowMs();
    if (status < 200 || status > 299) return { failure: statusFailure(answer, request, nowMs), answer };
    if (!isBodyCut) return { failure: null, answer };
    const text = `${request.url.hostname} answered more than ${MAX_BODY_BYTES} bytes`;
    return { failure: malformed(text), answer: null };
  }
}
