/** At which location each asset is: by its coordinates, or because it was put there (rule S5.2). */
import type { AssetTypes } from "../../domain/assets/asset.ts";
import type { PointValues } from "../../domain/assets/snapshot.ts";
import {
  type Coordinates,
  coordinatesIn,
  type LocatedKind,
  mayBeLocated,
  nearestPlace,
} from "../../domain/assets/whereabouts.ts";
import { type AssetLocation, NO_LOCATION } from "../../domain/fields.ts";
import { patch } from "../../domain/patch.ts";
import type { PlacementRecord } from "../../store/records.ts";
import type { AssetOverlay } from "../assets/asset-overlays.ts";
import { placedCharger, placedHvac } from "./placements.ts";

export interface LocationOverlayParts {
  /** A user's locations, in the order in which the first of two equally near ones wins. */
  placesOf(userId: string): Iterable<Coordinates & { readonly id: string }>;
  placementOf(assetId: string): PlacementRecord | null;
  /** Where the house is. Devices are mounted there that do not tell where they are; vehicles are not. */
  readonly site: Coordinates | null;
  /** Since when that is known: an instant of the API. */
  readonly siteKnownSince: string;
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

/** The device's location; none, not even the one it is at, if the user did not grant that it is read. */
function located(
  kind: LocatedKind,
  { location, userId, scopes }: Pick<AssetTypes[LocatedKind], "location" | "userId" | "scopes">,
  values: Readonly<PointValues>,
  { placesOf, site, siteKnownSince }: LocationOverlayParts,
): AssetLocation {
  if (!mayBeLocated(kind, scopes)) return NO_LOCATION;
  const told = coordinatesIn(kind, values);
  const at = told ?? (kind === "vehicle" ? null : site);
  const id = at === null ? null : (nearestPlace(kind, at, placesOf(userId))?.id ?? null);
  if (told !== null || at === null) return patch(location, { id });
  return patch(location, {
    id,
    latitude: at.latitude,
    longitude: at.longitude,
    lastUpdated: siteKnownSince,
  });
}
