/** What energy costs at the market, and how that is known. */
import { instant, instantOrNull } from "../../../domain/fields.ts";
import { PriceView } from "../../../domain/market/price-view.ts";
import { sourceProblemView } from "../../../domain/source-problem.ts";
import { localDayAt } from "../../../domain/statistics/statistics-calendar.ts";
import type { MarketPrices } from "../../../engine/contracts/market.ts";
import type { PriceSlot } from "../../../engine/contracts/places.ts";
import type { Api, RouteParts } from "../../api.ts";
import { jsonResponse, problemResponses } from "../../responses.ts";

export function priceRoutes(api: Api, { engine, clock, config }: RouteParts): void {
  api.route({
    method: "GET",
    url: "/local/prices",
    schema: {
      operationId: "getMarketPrices",
      summary: "Get what energy costs at the market, and how that is known",
      description:
        "From the beginning of today in the house's time zone to the last hour that is known. `prices` is what a consumer pays per kWh, with fees and taxes of the configuration; `published` is what the exchange published. Both may be negative. `problem` says why newer prices are missing.",
      tags: ["tariffs"],
      response: { 200: jsonResponse("The prices as they are known.", PriceView), ...problemResponses() },
    },
    handler: (): PriceView => {
      const { market, prices } = engine.services;
      const { fromMs } = localDayAt(config.site.timezone, clock.nowMs());
      return market === null ? { ...NONE, currency: prices.currency } : viewOf(market, fromMs);
    },
  });
}

const NONE: Omit<PriceView, "currency"> = {
  source: null,
  lastFetchedAt: null,
  knownUntil: null,
  nextFetchAt: null,
  problem: null,
  prices: [],
  published: [],
};

function viewOf(market: MarketPrices, fromMs: number): PriceView {
  const { source: id, displayName, zone, attribution, currency, problem, ...times } = market.status();
  return {
    currency,
    source: { id, displayName, zone, attribution },
    lastFetchedAt: instantOrNull(times.lastFetchedAtMs),
    knownUntil: instantOrNull(times.knownUntilMs),
    nextFetchAt: instantOrNull(times.nextFetchAtMs),
    problem: problem && sourceProblemView(problem),
    prices: market.consumer(fromMs, Number.POSITIVE_INFINITY).map(slotView),
    published: market.published(fromMs, Number.POSITIVE_INFINITY).map(slotView),
  };
}

function slotView({ fromMs, toMs, cost }: PriceSlot) {
  return { from: instant(fromMs), to: instant(toMs), cost };
}
