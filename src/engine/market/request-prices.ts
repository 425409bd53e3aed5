import { type Market, type MarketDay, MarketError } from "../../sdk/market-source.ts";
import type { PriceSlot } from "../contracts/places.ts";
import type { ExternalHttpClient } from "../external-http/external-http-client.ts";
import { malformed, type SourceFailure } from "../external-http/source-failure.ts";
import { checkedPrices } from "./checked-prices.ts";

/** The prices of a day, or why there are none. `slots` is empty if the day is not published yet. */
export type PriceResult =
  | { readonly kind: "answered"; readonly slots: readonly PriceSlot[] }
  | { readonly kind: "failed"; readonly failure: SourceFailure };

export interface PriceRequestParts {
  readonly client: ExternalHttpClient;
  readonly market: Market;
}

/** Requests the prices of a day. Rejects only if the signal is aborted. */
export async function requestPrices(
  { client, market }: PriceRequestParts,
  day: MarketDay,
  signal: AbortSignal,
): Promise<PriceResult> {
  const request = market.request(day);
  const { failure, answer } = await client.request(request, signal);
  try {
    if (failure === null) return { kind: "answered", slots: checkedPrices(market.read(answer, day), market, day) };
    const isUnpublished = answer !== null && isRefusal(answer.status) && market.isUnpublished?.(answer) === true;
    return isUnpublished ? { kind: "answered", slots: [] } : { kind: "failed", failure };
  } catch (error) {
    return { kind: "failed", failure: readFailure(error, request.url.hostname) };
  }
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

function readFailure(error: unknown, host: string): SourceFailure {
  if (error instanceof MarketError) return { ...malformed(`${host} ${error.message}`), kind: error.kind };
  // A bug of the source may concern this answer only. Its message is left out because it may contain a key.
  return malformed(`${host} answered data that cannot be read (${error instanceof Error ? error.name : "?"})`);
}
