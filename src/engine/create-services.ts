/** Makes the parts of the engine beside the devices, in the order in which they need each other. */
import type { ControllerRegistry } from "./controllers.ts";
import type { EnginePart, PartContext } from "./engine-part.ts";
import { createLinking } from "./linking/create-linking.ts";
import { createPlaces } from "./places/create-places.ts";
import type { Services } from "./services/services.ts";
import { SmartOverrideService } from "./smart/overrides/smart-overrides.ts";

export interface MadeServices {
  readonly services: Services;
  /** What works by itself. */
  readonly parts: readonly EnginePart[];
}

export function createServices(context: PartContext, controllers: ControllerRegistry): MadeServices {
  const smartOverrides = new SmartOverrideService(context);
  const { locations, tariffs, prices } = createPlaces(context);
  const { authorizations, fleet, users, userRemovals } = context;
  const { linking, vendors, parts: linkingParts } = createLinking(context);
  return {
    services: {
      authorizations,
      controllers,
      fleet,
      linking,
      vendors,
      users,
      userRemovals,
      smartOverrides,
      locations,
      tariffs,
      prices,
    },
    parts: [...linkingParts, smartOverrides, locations],
  };
}
