import type { PartContext } from "../engine-part.ts";
import { LocationRemovals } from "./location-removals.ts";
import { LocationService } from "./locations.ts";
import { PriceService } from "./prices.ts";
import { TariffService } from "./tariffs.ts";

const DEFAULT_CURRENCY = "EUR";

/** Locations, and what energy costs there. Parts with something at locations add their step to `removals`. */
export interface Places {
  readonly locations: LocationService;
  readonly tariffs: TariffService;
  readonly prices: PriceService;
  readonly removals: LocationRemovals;
}

export function createPlaces(context: PartContext): Places {
  const removals = new LocationRemovals(context.store);
  const locations = new LocationService(context, removals);
  const tariffs = new TariffService(context, { locations, removals });
  const currency = context.config.pricing?.currency ?? DEFAULT_CURRENCY;
  const prices = new PriceService({ locations, tariffs, source: context.priceSource, currency });
  return { locations, tariffs, prices, removals };
}
