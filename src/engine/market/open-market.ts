import { minutesOf } from "../../domain/hour-minute.ts";
import { money } from "../../domain/money.ts";
import { weekdaysOf } from "../../domain/places/tariff-week.ts";
import type { MarketSource } from "../../sdk/market-source.ts";
import type { EngineConfig } from "../engine-part.ts";
import { type MarketPriceParts, MarketPriceService } from "./market-price-service.ts";

export type OpenMarketParts = Pick<MarketPriceParts, "clock" | "random" | "http" | "log" | "store"> & {
  readonly config: EngineConfig;
  readonly sources: readonly MarketSource[];
};

/**
 * Creates the service for the configured market prices; returns `null` if none are configured. Throws if the source is
 * unknown or does not have the zone or currency, which `configSchema` with the same sources rejects earlier.
 */
export function openMarket({ config, sources, ...parts }: OpenMarketParts): MarketPriceService | null {
  const { pricing, site } = config;
  if (pricing?.market === undefined) return null;
  const { source: id, zone, token, factor, fees, vat } = pricing.market;
  const { currency } = pricing;
  const source = sources.find((each) => each.id === id);
  if (source === undefined) throw new Error(`pricing.market: there is no price source ${id}`);
  const market = source.open({ zone, token, currency });
  if ("problem" in market) throw new Error(`pricing.market: ${market.problem}`);
  const formula = {
    factor: money(String(factor)),
    vat: money(String(vat)),
    fees: fees.map(({ perKwh, from, to, weekdays }) => ({
      perKwh: money(String(perKwh)),
      fromMinute: minutesOf(from),
      toMinute: minutesOf(to),
      weekdays: weekdaysOf({ weekdays }),
    })),
    zone: site.timezone,
  };
  const log = parts.log.child({ market: `${id} ${zone}` });
  return new MarketPriceService({ ...parts, log, source, market, zone, currency, formula });
}
