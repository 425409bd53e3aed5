import { refuseAddress } from "../../platform/address-policy.ts";
import { HttpError } from "../../platform/http-error.ts";
import type { Clock, Http, HttpAnswer, HttpClient, Log } from "../../platform/ports.ts";
import { retryAfterMs } from "../../platform/retry-after.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import { BoundedJsonError, boundedJson } from "../../sdk/bounded-json.ts";
import type { ForecastRefusal, ForecastSlot, ForecastSource } from "../../sdk/forecast-source.ts";
import type { ForecastProblemKind } from "../services/forecast.ts";
import type { Asking } from "./panels.ts";

const ANSWER_MS = 30_000;
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_DEPTH = 12;
/** Who is asked too often, or at a bad moment; what was asked is not to blame. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429]);

/** Why there is no forecast. */
export interface Failure {
  readonly kind: ForecastProblemKind;
  /** In English; names host and status only. */
  readonly text: string;
  readonly status: number | null;
  /** Wall-clock ms; null: the source does not say. */
  readonly notBeforeMs: number | null;
  /** False: nothing was sent. */
  readonly wasSent: boolean;
}

export type Outcome = { readonly slots: readonly ForecastSlot[] } | { readonly failure: Failure };

export interface ForecastClientParts {
  readonly clock: Clock;
  readonly http: Http;
  readonly log: Log;
}

/** Asks one source: its own hosts only, in time and within bounds. No address of a request leaves it. */
export class ForecastClient implements Disposable {
  readonly #parts: ForecastClientParts;
  readonly #source: ForecastSource;
  readonly #client: HttpClient;

  constructor(parts: ForecastClientParts, source: ForecastSource) {
    this.#parts = parts;
    this.#source = source;
    this.#client = parts.http.open({ refuse: (address) => refuseAddress(address, "internet") });
  }

  /** Rejects with the signal's reason only. */
  async ask({ request, read }: Asking, signal: AbortSignal): Promise<Outcome> {
    const { clock, log } = this.#parts;
    const url = URL.parse(request.url);
    if (url === null || url.protocol !== "https:" || !this.#source.hosts.includes(url.hostname)) {
      const text = `${this.#source.id} leads to none of its hosts`;
      return failed({ kind: "not-set-up", text, wasSent: false });
    }
    try {
      const headers = { accept: "application/json", "user-agent": "hemgate", ...request.headers };
      const wire = { method: "GET", url, headers, body: null, maxBodyBytes: MAX_BODY_BYTES } as const;
      const answer = await within(clock, ANSWER_MS, signal, (inTime) => this.#client.request(wire, inTime));
      log.debug({ host: url.hostname, status: answer.status, bytes: answer.body.length }, "forecast answered");
      return this.#judged(answer, url.hostname, read);
    } catch (error) {
      signal.throwIfAborted();
      return unanswered(error, url.hostname);
    }
  }

  [Symbol.dispose](): void {
    this.#client[Symbol.dispose]();
  }

  #judged(answer: HttpAnswer, host: string, read: Asking["read"]): Outcome {
    const { status } = answer;
    const parsed = parse(answer);
    if (status !== 200) {
      const body = "json" in parsed ? parsed.json : null;
      return this.#refused({ status, headers: Object.fromEntries(answer.headers), body }, host);
    }
    if (!("json" in parsed)) return failed({ kind: "malformed", text: `${host} answered ${parsed.wrong}`, status });
    const slots = read(parsed.json);
    if (slots !== null) return { slots };
    return failed({
      kind: "malformed",
      text: `${host} answered something else than ${this.#source.name} documents`,
      status,
    });
  }

  #refused(refusal: ForecastRefusal, host: string): Outcome {
    const { status, headers, body } = refusal;
    const text = `${host} answered ${status}`;
    const nowMs = this.#parts.clock.nowMs();
    const notBeforeMs = latest(restUntilMs(headers, nowMs), this.#source.restUntilMs?.(refusal, nowMs) ?? null);
    if (status === 429) return failed({ kind: "rate-limited", text, status, notBeforeMs });
    // A page with such a status comes from something in between: the source's own refusals are JSON.
    const isForGood = status >= 400 && status < 500 && !PASSING.has(status) && body !== null;
    if (isForGood) return failed({ kind: "refused", text: `${text}: ${REASONS[status] ?? REASON}`, status });
    return failed({ kind: status < 400 ? "malformed" : "unavailable", text, status, notBeforeMs });
  }
}

const REASON = "it does not take what the configuration says of the panels";
const REASONS: Readonly<Record<number, string>> = {
  401: "it does not take the key",
  402: "the account does not pay for this",
  403: "the key does not allow this",
  404: "it knows no such panels",
};

function failed(what: Pick<Failure, "kind" | "text"> & Partial<Failure>): Outcome {
  return { failure: { status: null, notBeforeMs: null, wasSent: true, ...what } };
}

function unanswered(error: unknown, host: string): Outcome {
  if (error instanceof TimeoutError) {
    return failed({ kind: "unreachable", text: `${host} did not answer within ${ANSWER_MS / 1_000} s` });
  }
  if (!(error instanceof HttpError)) throw error;
  return failed({ kind: "unreachable", text: error.message, wasSent: error.kind === "broken" });
}

function parse({ body, isBodyCut }: HttpAnswer): { readonly json: unknown } | { readonly wrong: string } {
  if (isBodyCut) return { wrong: `more than ${MAX_BODY_BYTES} bytes` };
  try {
    return { json: boundedJson(body, MAX_DEPTH) };
  } catch (error) {
    if (!(error instanceof BoundedJsonError)) throw error;
    return { wrong: error.message };
  }
}

/** Until when the server wants to be left alone, wall-clock ms. */
function restUntilMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const ms = retryAfterMs({ retryAfter: headers["retry-after"], date: headers["date"] }, nowMs);
  return ms === null ? null : nowMs + ms;
}

function latest(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other);
}
