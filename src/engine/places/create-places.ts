import type { PriceSource } from "../contracts/places.ts";
import type { Feature, FeatureHooks } from "../feature.ts";
import { LocationRemovals } from "./location-removals.ts";
import { type LocationNeeds, LocationService } from "./locations.ts";
import { PriceService } from "./prices.ts";
import { TariffService } from "./tariffs.ts";

const DEFAULT_CURRENCY = "EUR";

/** The parts of the engine that locations, tariffs and prices use. */
export interface PlaceNeeds extends LocationNeeds {
  /** Market prices; `null` if none are configured. */
  readonly priceSource: PriceSource | null;
}

/** The features for locations and their energy prices. */
export interface Places {
  readonly locations: Feature<LocationService>;
  readonly tariffs: Feature<TariffService>;
  readonly prices: Feature<PriceService>;
}

export function createPlaces(context: PlaceNeeds, hooks: Pick<FeatureHooks, "locationRemovals">): Places {
  const locations = new LocationService(context, new LocationRemovals(context.store, hooks));
  const tariffs = new TariffService(context, locations);
  const currency = context.config.pricing?.currency ?? DEFAULT_CURRENCY;
  const prices = new PriceService({ locations, tariffs, source: context.priceSource, currency });
  return {
    locations: {
      name: "locations",
      service: locations,
      overlay: locations.overlay,
      forgetter: locations,
      locationRemoval: locations.locationRemoval,
      loop: locations,
    },
    tariffs: { name: "tariffs", service: tariffs, forgetter: tariffs, locationRemoval: tariffs.locationRemoval },
    prices: { name: "prices", service: prices, connect: () => prices.connect() },
  };
}
