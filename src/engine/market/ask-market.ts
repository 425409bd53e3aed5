import { type Market, type MarketDay, MarketError } from "../../sdk/market-source.ts";
import type { PriceSlot } from "../contracts/places.ts";
import type { OutsideClient } from "../outside/outside-client.ts";
import { malformed, type SourceFailure } from "../outside/source-failure.ts";
import { soundPrices } from "./sound-prices.ts";

/** What became of a question. Told without slots: nothing is published yet. */
export type MarketNews =
  | { readonly kind: "told"; readonly slots: readonly PriceSlot[] }
  | { readonly kind: "failed"; readonly failure: SourceFailure };

export interface Asking {
  readonly client: OutsideClient;
  readonly market: Market;
}

/** Asks for a day. Rejects with the signal's reason only. */
export async function askMarket({ client, market }: Asking, day: MarketDay, signal: AbortSignal): Promise<MarketNews> {
  const question = market.request(day);
  const { failure, answer } = await client.ask(question, signal);
  try {
    if (failure === null) return { kind: "told", slots: soundPrices(market.read(answer, day), market, day) };
    const isUnpublished = answer !== null && isRefusal(answer.status) && market.isUnpublished?.(answer) === true;
    return isUnpublished ? { kind: "told", slots: [] } : { kind: "failed", failure };
  } catch (error) {
    return { kind: "failed", failure: misread(error, question.url.hostname) };
  }
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500;
}

function misread(error: unknown, host: string): SourceFailure {
  if (error instanceof MarketError) return { ...malformed(`${host} ${error.message}`), kind: error.kind };
  // Whatever a source's description trips over, the next day's answer may be right; its words may quote a key.
  return malformed(`${host} answered what cannot be read (${error instanceof Error ? error.name : "?"})`);
}
