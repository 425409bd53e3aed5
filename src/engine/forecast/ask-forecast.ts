import { BoundedJsonError, boundedJson } from "../../sdk/bounded-json.ts";
import type { ForecastSlot, ForecastSource } from "../../sdk/forecast-source.ts";
import type { OutsideAnswer, OutsideClient } from "../outside/outside-client.ts";
import { malformed, type SourceFailure } from "../outside/source-failure.ts";
import type { Asking } from "./panels.ts";

const MAX_DEPTH = 12;

/** Why there is no forecast. */
export interface ForecastFailure extends SourceFailure {
  /** Null: nothing was answered. */
  readonly status: number | null;
}

export type ForecastNews = { readonly slots: readonly ForecastSlot[] } | { readonly failure: ForecastFailure };

export interface ForecastAsked {
  readonly client: OutsideClient;
  readonly source: ForecastSource;
  /** Wall-clock ms. */
  readonly nowMs: () => number;
}

/** Asks one source, at its own hosts only. Rejects with the signal's reason only. */
export async function askForecast(
  { client, source, nowMs }: ForecastAsked,
  { request, read }: Asking,
  signal: AbortSignal,
): Promise<ForecastNews> {
  const url = URL.parse(request.url);
  if (url === null || url.protocol !== "https:" || !source.hosts.includes(url.hostname)) {
    const text = `${source.id} leads to none of its hosts`;
    return { failure: { kind: "not-set-up", text, retryAfterMs: null, wasSent: false, status: null } };
  }
  const headers = { accept: "application/json", ...request.headers };
  const { failure, answer } = await client.ask({ method: "GET", url, headers, body: null }, signal);
  if (failure !== null) return { failure: detailed(failure, answer, source, nowMs()) };
  const { status } = answer;
  const { json, wrong } = parsed(answer.body);
  if (wrong !== null) return { failure: { ...malformed(`${url.hostname} answered ${wrong}`), status } };
  const slots = read(json);
  if (slots !== null) return { slots };
  const text = `${url.hostname} answered something else than ${source.name} documents`;
  return { failure: { ...malformed(text), status } };
}

const REASON = "it does not take what the configuration says of the panels";
const REASONS: Readonly<Record<number, string>> = {
  401: "it does not take the key",
  402: "the account does not pay for this",
  403: "the key does not allow this",
  404: "it knows no such panels",
};

/** What the source's own words add to its status. */
function detailed(
  failure: SourceFailure,
  answer: OutsideAnswer | null,
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
