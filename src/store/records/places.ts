import type { Location } from "../../domain/places/location.ts";
import type { Tariff, TariffLink } from "../../domain/places/tariff.ts";

export interface LocationRecord {
  readonly location: Location;
  readonly createdAtMs: number;
}

/**
 * The location that a charger or an HVAC unit was assigned to by hand, because a device without coordinates cannot be
 * located otherwise.
 */
export interface PlacementRecord {
  readonly assetId: string;
  readonly kind: "charger" | "hvac";
  /** `null` if the assignment was removed. */
  readonly locationId: string | null;
  /** Wall-clock ms. */
  readonly atMs: number;
}

export interface TariffRecord {
  readonly id: string;
  readonly tariff: Tariff;
  readonly createdAtMs: number;
}

/** The tariff of a location, and when which of its rates applies. The key is the location's id. */
export interface TariffLinkRecord {
  readonly locationId: string;
  readonly link: TariffLink;
}
