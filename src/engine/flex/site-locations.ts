import type { Location } from "../../domain/places/location.ts";
import { problem } from "../../domain/problem.ts";
import type { SiteConnections } from "../contracts/energy/energy.ts";
import type { Assets } from "../contracts/engine.ts";
import type { Locations } from "../contracts/places.ts";

export interface SiteLocationParts {
  readonly assets: Pick<Assets, "get" | "list">;
  readonly locations: Pick<Locations, "get">;
  readonly siteConnections: Pick<SiteConnections, "current">;
}

/**
 * Returns the location if the gateway's grid connection is there: its grid meter stands there, or the meter's place is
 * not known and the location is its owner's. Throws `not-found` and `conflict`.
 */
export function requireSiteLocation(parts: SiteLocationParts, id: string): Location {
  const location = parts.locations.get(id);
  if (location === null) throw problem("not-found", `There is no location "${id}".`);
  const { gridMeterId } = parts.siteConnections.current();
  const named = gridMeterId === null ? null : parts.assets.get("meter", gridMeterId);
  const meters = named === null ? parts.assets.list("meter").map(({ asset }) => asset) : [named];
  const isThere = meters.some(({ userId, location: { id: at } }) =>
    at === null ? userId === location.userId : at === location.id,
  );
  if (meters.length === 0 || isThere) return location;
  const detail = `The gateway's grid meter is not at the location "${id}", so it cannot limit the connection there.`;
  throw problem("conflict", detail);
}
