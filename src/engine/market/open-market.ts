import { minutesOf } from "../../domain/hour-minute.ts";
import { money } from "../../domain/money.ts";
import { weekdaysOf } from "../../domain/places/tariff-week.ts";
import type { MarketSource } from "../../sdk/market-source.ts";
import type { EngineConfig } from "../engine-part.ts";
import { MarketKeeper, type MarketKeeperParts } from "./market-keeper.ts";

export type OpenMarketParts = Pick<MarketKeeperParts, "clock" | "random" | "http" | "log" | "store"> & {
  readonly config: EngineConfig;
  readonly sources: readonly MarketSource[];
};

/**
 * The keeper of the market prices that the configuration asks for; null when it asks for none. Throws when it asks for a
 * source that is not there, or for what the source has not; `configSchema` of the same sources lets neither pass.
 */
export function openMarket({ config, sources, ...parts }: OpenMarketParts): MarketKeeper | null {
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
  return new MarketKeeper({ ...parts, log, source, market, zone, currency, formula });
}
