import type { Location, LocationChanges } from "../../domain/places/location.ts";
import type { Tariff, TariffEntry, TariffLink } from "../../domain/places/tariff.ts";
import type { Follower } from "../assets/followers.ts";

/** What a location is made of. */
export type LocationFields = Pick<Location, "name" | "latitude" | "longitude" | "timezoneName">;

export interface LocationEntry {
  readonly location: Location;
  readonly createdAtMs: number;
}

/** Places of users (rules I2.10 and S5). Reads are from memory. */
export interface Locations {
  get(id: string): Location | null;
  /** Of all users, or of one; newest created first, then by id. */
  list(userId?: string): readonly LocationEntry[];
  /** Of one user, in the same order. Throws `not-found` for an unknown user. */
  listOfUser(userId: string): readonly LocationEntry[];
  /** Throws `not-found` for an unknown user. */
  create(userId: string, fields: LocationFields): Promise<Location>;
  /** Null when there is none. */
  update(id: string, changes: LocationChanges): Promise<Location | null>;
  /** The location that was deleted; null when there is none. */
  remove(id: string): Promise<Location | null>;
  /**
   * Puts a charger or an HVAC unit at a location, or (null) nowhere. Throws `not-found` for asset or location, and
   * `bad-request` when the location is another user's.
   */
  assign(kind: "charger" | "hvac", assetId: string, locationId: string | null): Promise<void>;
  /** The IANA zone of a location; UTC for none. */
  zoneOf(locationId: string | null): string;
  /** Calls the listener after a location was created, changed or (null) removed. Disposing ends it. */
  observe(listener: (id: string, location: Location | null) => void): Disposable;
  /** Runs the follower after a change of a user's locations, or of what is at one, before it is answered. */
  follow(follower: Follower): Disposable;
}

export interface TariffRow {
  readonly id: string;
  readonly createdAtMs: number;
}

/** Submitted prices and which hours of a location they are for (rules I2.14, I4.9 and S5.3). */
export interface Tariffs {
  get(tariffId: string): Tariff | null;
  list(): readonly TariffRow[];
  /** Replaces the rates. Locations keep their links: an interval whose rate is gone is a gap until it is back. */
  put(tariffId: string, tariff: Tariff): Promise<void>;
  /** Throws `not-found` for location or tariff, `bad-request` for overlaps and names that the tariff lacks. */
  link(locationId: string, link: TariffLink): Promise<void>;
  /** Throws `not-found` for the location. */
  unlink(locationId: string): Promise<void>;
  /** The entries as read back, none when there is no tariff. Throws `not-found` for the location. */
  entries(locationId: string): readonly TariffEntry[];
}

/** A price that holds from one instant to another, ms. */
export interface PriceSlot {
  readonly fromMs: number;
  readonly toMs: number;
  /** Currency units per kWh, a decimal number as text; never a float. */
  readonly cost: string;
}

/** Market prices, when there are any: they fill what a location's tariff leaves open. */
export interface PriceSource {
  /** The known prices in [fromMs, toMs) for a point on the map, ascending, without overlaps; gaps are unknown. */
  between(
    place: { readonly latitude: number; readonly longitude: number },
    fromMs: number,
    toMs: number,
  ): readonly PriceSlot[];
  /** Whether prices can be known for a point on the map, now or later. */
  covers(place: { readonly latitude: number; readonly longitude: number }): boolean;
  /** Calls the listener when more prices became known. Disposing ends it. */
  observe(listener: () => void): Disposable;
}

/** What energy costs at a location: its tariff first, then market prices. */
export interface Prices {
  /** ISO 4217, alpha-3. */
  readonly currency: string;
  /** The known prices in [fromMs, toMs) at a location, ascending, cut to the range, without overlaps; gaps are unknown. */
  between(locationId: string | null, fromMs: number, toMs: number): readonly PriceSlot[];
  /** True when the location has a tariff, or market prices can be known for it. */
  hasSource(locationId: string | null): boolean;
  /** Calls the listener when prices of any location may have changed. Disposing ends it. */
  observe(listener: () => void): Disposable;
}
