/** Makes the parts of the engine beside the devices, in the order in which they need each other. */
import type { ControllerRegistry } from "./controllers.ts";
import type { EnginePart, PartContext } from "./engine-part.ts";
import { LocationRemovals } from "./places/location-removals.ts";
import { LocationService } from "./places/locations.ts";
import { ownersOf } from "./places/owners.ts";
import type { Services } from "./services/services.ts";
import { SmartOverrideService } from "./smart/overrides/smart-overrides.ts";

export interface MadeServices {
  readonly services: Services;
  /** What works by itself. */
  readonly parts: readonly EnginePart[];
}

export function createServices(context: PartContext, controllers: ControllerRegistry): MadeServices {
  const smartOverrides = new SmartOverrideService(context);
  const removals = new LocationRemovals(context.store);
  const locations = new LocationService(context, { users: ownersOf(context), removals });
  const { authorizations, fleet, users } = context;
  return { services: { authorizations, controllers, fleet, users, smartOverrides, locations }, parts: [smartOverrides, locations] };
}
