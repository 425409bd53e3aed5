import type { Location } from "../../domain/places/location.ts";
import type { Tariff, TariffLink } from "../../domain/places/tariff.ts";

export interface LocationRecord {
  readonly location: Location;
  readonly createdAtMs: number;
}

/** Where a charger or an HVAC unit was put by hand; a device without coordinates is found by nothing else. */
export interface PlacementRecord {
  readonly assetId: string;
  readonly kind: "charger" | "hvac";
  /** Null: it was taken from its location. */
  readonly locationId: string | null;
  /** Wall-clock ms. */
  readonly atMs: number;
}

export interface TariffRecord {
  readonly id: string;
  readonly tariff: Tariff;
  readonly createdAtMs: number;
}

/** Which tariff a location has, and when which of its rates holds. Kept under the location's id. */
export interface TariffLinkRecord {
  readonly locationId: string;
  readonly link: TariffLink;
}
