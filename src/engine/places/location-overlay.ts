/** Adds the location to assets: by their coordinates, or by assignment (rule S5.2). */
import type { AssetTypes } from "../../domain/assets/asset.ts";
import {
  type Coordinates,
  coordinatesIn,
  hasLocationScope,
  type LocatedKind,
  nearestPlace,
} from "../../domain/assets/asset-location.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import { type AssetLocation, NO_LOCATION } from "../../domain/fields.ts";
import { patch } from "../../domain/patch.ts";
import type { PlacementRecord } from "../../store/records.ts";
import type { AssetOverlay } from "../assets/asset-overlays.ts";
import { placedCharger, placedHvac } from "./placements.ts";

export interface LocationOverlayParts {
  /** Returns a user's locations. Of two at the same distance, the first counts. */
  placesOf(userId: string): Iterable<Coordinates & { readonly id: string }>;
  placementOf(assetId: string): PlacementRecord | null;
  /** The configured place of the site; it counts for devices without coordinates, except vehicles. */
  readonly site: Coordinates | null;
  /** Since when the site is known, as the API's date-time. */
  siteKnownSince(): string;
}

export function createLocationOverlay(parts: LocationOverlayParts): AssetOverlay {
  const { placementOf } = parts;
  return {
    charger: (charger) => {
      const placement = placementOf(charger.id);
      return placement === null ? charger : placedCharger(charger, placement);
    },
    hvac: (hvac) => {
      const placement = placementOf(hvac.id);
      return placement === null ? hvac : placedHvac(hvac, placement);
    },
    battery: (battery, values) => patch(battery, { location: located("battery", battery, values, parts) }),
    meter: (meter, values) => patch(meter, { location: located("meter", meter, values, parts) }),
    inverter: (inverter, values) => {
      const location = located("inverter", inverter, values, parts);
      return patch(inverter, { location, chargingLocationId: location.id });
    },
    vehicle: (vehicle, values) => {
      const location = located("vehicle", vehicle, values, parts);
      return patch(vehicle, { location, locationId: location.id });
    },
  };
}

/** Returns the device's location; empty if the user did not grant the scope to read it. */
function located(
  kind: LocatedKind,
  { location, userId, scopes }: Pick<AssetTypes[LocatedKind], "location" | "userId" | "scopes">,
  values: Readonly<PointValues>,
  { placesOf, site, siteKnownSince }: LocationOverlayParts,
): AssetLocation {
  if (!hasLocationScope(kind, scopes)) return NO_LOCATION;
  const reported = coordinatesIn(kind, values);
  const at = reported ?? (kind === "vehicle" ? null : site);
  const id = at === null ? null : (nearestPlace(kind, at, placesOf(userId))?.id ?? null);
  if (reported !== null || at === null) return patch(location, { id });
  return patch(location, {
    id,
    latitude: at.latitude,
    longitude: at.longitude,
    lastUpdated: siteKnownSince(),
  });
}
