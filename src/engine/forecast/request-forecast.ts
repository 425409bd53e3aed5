import { BoundedJsonError, boundedJson } from "../../sdk/bounded-json.ts";
import type { ForecastSlot, ForecastSource } from "../../sdk/forecast-source.ts";
import type { ExternalAnswer, ExternalHttpClient } from "../external-http/external-http-client.ts";
import { malformed, type SourceFailure } from "../external-http/source-failure.ts";
import type { PanelRequest } from "./panels.ts";

const MAX_DEPTH = 12;

/** Why a request got no forecast. */
export interface ForecastFailure extends SourceFailure {
  /** The HTTP status; `null` without an answer. */
  readonly status: number | null;
}

/** The slots of a forecast, or why there is none. */
export type ForecastResult = { readonly slots: readonly ForecastSlot[] } | { readonly failure: ForecastFailure };

export interface ForecastRequestParts {
  readonly client: ExternalHttpClient;
  readonly source: ForecastSource;
  /** Wall-clock ms. */
  readonly nowMs: () => number;
}

/** Sends one request to a source, to its documented hosts only. Rejects only if the signal is aborted. */
export async function requestForecast(
  { client, source, nowMs }: ForecastRequestParts,
  { request, read }: PanelRequest,
  signal: AbortSignal,
): Promise<ForecastResult> {
  const url = URL.parse(request.url);
  if (url === null || url.protocol !== "https:" || !source.hosts.includes(url.hostname)) {
    const text = `${source.id} requested a URL that is not on its hosts; report this as a bug of the source`;
    return { failure: { kind: "not-set-up", text, retryAfterMs: null, wasSent: false, status: null } };
  }
  const headers = { accept: "application/json", ...request.headers };
  const { failure, answer } = await client.request({ method: "GET", url, headers, body: null }, signal);
  if (failure !== null) return { failure: detailed(failure, answer, source, nowMs()) };
  const { status } = answer;
  const { json, wrong } = parsed(answer.body);
  if (wrong !== null) return { failure: { ...malformed(`${url.hostname} answered ${wrong}`), status } };
  const slots = read(json);
  if (slots !== null) return { slots };
  const text = `${url.hostname} answered data that does not match the documentation of ${source.name}`;
  return { failure: { ...malformed(text), status } };
}

const REASON = "it refuses the configured panels";
const REASONS: Readonly<Record<number, string>> = {
  401: "it refuses the key",
  402: "the account has no plan for this",
  403: "the key does not allow this",
  404: "it has no such panels",
};

/** Adds the reason and the pause that the source's answer gives. */
function detailed(
  failure: SourceFailure,
  answer: ExternalAnswer | null,
  source: ForecastSource,
  nowMs: number,
): ForecastFailure {
  if (answer === null) return { ...failure, status: null };
  const { status, headers } = answer;
  if (failure.kind === "refused") return { ...failure, text: `${failure.text}: ${REASONS[status] ?? REASON}`, status };
  const untilMs = source.restUntilMs?.({ status, headers, body: parsed(answer.body).json }, nowMs) ?? null;
  if (untilMs === null) return { ...failure, status };
  return { ...failure, retryAfterMs: Math.max(untilMs - nowMs, failure.retryAfterMs ?? 0), status };
}

type Parsed = { readonly json: unknown; readonly wrong: null } | { readonly json: null; readonly wrong: string };

function parsed(body: Uint8Array): Parsed {
  try {
    return { json: boundedJson(body, MAX_DEPTH), wrong: null };
  } catch (error) {
    if (!(error instanceof BoundedJsonError)) throw error;
    return { json: null, wrong: error.message };
  }
}
