/** One question to a price source: bounded in size and time, sent to public addresses only, told without its keys. */
import { HttpError } from "../../platform/http-error.ts";
import type { Clock, HttpAnswer, HttpClient } from "../../platform/ports.ts";
import { retryAfterMs } from "../../platform/retry-after.ts";
import { TimeoutError, within } from "../../platform/within.ts";
import { type Market, type MarketDay, MarketError, type MarketErrorKind } from "../../sdk/market-source.ts";
import type { PriceSlot } from "../services/places.ts";
import { soundPrices } from "./sound-prices.ts";

const ANSWER_MS = 30_000;
const MAX_BODY_BYTES = 2 * 1024 * 1024;
const LONGEST_REST_MS = 24 * 3_600_000;

/** What became of a question. Told without slots: nothing is published yet. */
export type MarketNews =
  | { readonly kind: "told"; readonly slots: readonly PriceSlot[] }
  | {
      readonly kind: "failed";
      /** `unreachable`: no answer came; nobody can say whether the source is well. */
      readonly why: MarketErrorKind | "unreachable";
      readonly message: string;
      /** How long the source wants to be left alone, ms; null: it did not say. */
      readonly retryAfterMs: number | null;
    };

export interface Asking {
  readonly client: HttpClient;
  readonly clock: Clock;
  readonly market: Market;
}

/** Asks for a day. Rejects with the signal's reason only. */
export async function askMarket(asking: Asking, day: MarketDay, signal: AbortSignal): Promise<MarketNews> {
  const { client, clock, market } = asking;
  try {
    const { method, url, headers, body } = market.request(day);
    const request = {
      method,
      url,
      headers: { "accept-encoding": "identity", "user-agent": "hemgate", ...headers },
      body: body === null ? null : new TextEncoder().encode(body),
      maxBodyBytes: MAX_BODY_BYTES,
    };
    const answer = await within(clock, ANSWER_MS, signal, (inTime) => client.request(request, inTime));
    return newsOf(answer, asking, day);
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "failed", ...reasonOf(error), retryAfterMs: null };
  }
}

function newsOf(wire: HttpAnswer, { market, clock }: Asking, day: MarketDay): MarketNews {
  const { status, body } = wire;
  const answer = { status, body };
  if (status >= 200 && status < 300) {
    if (wire.isBodyCut) throw new MarketError("malformed", `answered more than ${body.length} bytes`);
    return { kind: "told", slots: soundPrices(market.read(answer, day), market, day) };
  }
  if (status >= 400 && status < 500 && market.isNoneYet?.(answer) === true) return { kind: "told", slots: [] };
  const message = `answered ${status}`;
  return { kind: "failed", why: whyOf(status), message, retryAfterMs: restMs(wire, clock.nowMs()) };
}

/** How long the source wants to be left alone, ms. */
function restMs({ headers }: HttpAnswer, nowMs: number): number | null {
  const header = (wanted: string): string | undefined => headers.find(([name]) => name === wanted)?.[1];
  const ms = retryAfterMs({ retryAfter: header("retry-after"), date: header("date") }, nowMs);
  return ms === null ? null : Math.min(ms, LONGEST_REST_MS);
}

/** Redirects are not followed, and answer nothing. 403 is also what shields in front of servers say for an hour. */
function whyOf(status: number): MarketErrorKind {
  if (status < 400) return "malformed";
  if (status === 429) return "limited";
  return status >= 500 || status === 403 || status === 408 ? "unavailable" : "refused";
}

function reasonOf(error: unknown): { readonly why: MarketErrorKind | "unreachable"; readonly message: string } {
  if (error instanceof MarketError) return { why: error.kind, message: error.message };
  if (error instanceof TimeoutError) return { why: "unreachable", message: `no answer within ${ANSWER_MS / 1_000} s` };
  if (error instanceof HttpError) return { why: "unreachable", message: error.message };
  // Whatever a source's description trips over, the next day's answer may be right; its words may quote a key.
  return { why: "malformed", message: `answered what cannot be read (${error instanceof Error ? error.name : "?"})` };
}
