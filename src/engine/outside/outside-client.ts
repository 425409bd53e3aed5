import { refuseAddress } from "../../platform/network/address-policy.ts";
import type { Clock, Http, HttpAnswer, HttpClient, Log } from "../../platform/ports/ports.ts";
import { within } from "../../platform/within.ts";
import { malformed, type SourceFailure, statusFailure, unansweredFailure } from "./source-failure.ts";

const ANSWER_MS = 30_000;
const MAX_BODY_BYTES = 2 * 1024 * 1024;

/** What a service on the internet is asked. It may hold a key, so nothing of it but the host is ever told. */
export interface OutsideQuestion {
  readonly method: "GET" | "POST";
  readonly url: URL;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Null: none. */
  readonly body: string | null;
}

export interface OutsideAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** `failure` is null for a whole 2xx answer. A failure has the answer that it is about, if there was one. */
export type OutsideOutcome =
  | { readonly failure: null; readonly answer: OutsideAnswer }
  | { readonly failure: SourceFailure; readonly answer: OutsideAnswer | null };

export interface OutsideClientParts {
  readonly clock: Clock;
  readonly http: Http;
  readonly log: Log;
}

/** Questions to services on the internet: bounded in size and time, sent to public addresses only, told without keys. */
export class OutsideClient implements Disposable {
  readonly #parts: OutsideClientParts;
  readonly #client: HttpClient;

  constructor(parts: OutsideClientParts) {
    this.#parts = parts;
    this.#client = parts.http.open({ refuse: (address) => refuseAddress(address, "internet") });
  }

  /** Rejects with the signal's reason only. */
  async ask(question: OutsideQuestion, signal: AbortSignal): Promise<OutsideOutcome> {
    const { clock, log } = this.#parts;
    const { method, url, headers, body } = question;
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
      log.debug({ host, status: wire.status, bytes: wire.body.length }, "a source answered");
      return this.#judged(wire, question);
    } catch (error) {
      signal.throwIfAborted();
      return { failure: unansweredFailure(error, host), answer: null };
    }
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  #judged({ status, headers, body, isBodyCut }: HttpAnswer, question: OutsideQuestion): OutsideOutcome {
    const answer = { status, headers: Object.fromEntries(headers), body };
    const nowMs = this.#parts.clock.nowMs();
    if (status < 200 || status > 299) return { failure: statusFailure(answer, question, nowMs), answer };
    if (!isBodyCut) return { failure: null, answer };
    const text = `${question.url.hostname} answered more than ${MAX_BODY_BYTES} bytes`;
    return { failure: malformed(text), answer: null };
  }
}
