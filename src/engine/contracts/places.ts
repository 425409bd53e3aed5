import type { Location, LocationChanges } from "../../domain/places/location.ts";
import type { Tariff, TariffEntry, TariffLink } from "../../domain/places/tariff.ts";
import type { Follower } from "../assets/followers.ts";

/** The fields of a location that a client sets. */
export type LocationFields = Pick<Location, "name" | "latitude" | "longitude" | "timezoneName">;

/** A location with its time of creation. */
export interface LocationEntry {
  readonly location: Location;
  readonly createdAtMs: number;
}

/** The locations of users (rules I2.10 and S5). Reads are from memory. */
export interface Locations {
  get(id: string): Location | null;
  /** Returns the locations of all users, or of one; newest created first, then by id. */
  list(userId?: string): readonly LocationEntry[];
  /** Returns the locations of one user, in the same order. Throws `not-found` for an unknown user. */
  listOfUser(userId: string): readonly LocationEntry[];
  /** Stores a new location. Throws `not-found` for an unknown user. */
  create(userId: string, fields: LocationFields): Promise<Location>;
  /** Changes a location; returns `null` if it is unknown. */
  update(id: string, changes: LocationChanges): Promise<Location | null>;
  /** Deletes a location and returns it; `null` if it is unknown. */
  remove(id: string): Promise<Location | null>;
  /**
   * Assigns a charger or an HVAC unit to a location, or to none with `null`. Throws `not-found` for asset or location, and
   * `bad-request` if the location belongs to another user.
   */
  assign(kind: "charger" | "hvac", assetId: string, locationId: string | null): Promise<void>;
  /** Returns the IANA time zone of a location; UTC for `null` and unknown locations. */
  zoneOf(locationId: string | null): string;
  /** Calls the listener after a location was created, changed or (`null`) removed. Disposing the result unsubscribes. */
  observe(listener: (id: string, location: Location | null) => void): Disposable;
  /** Runs the follower after a change of a user's locations or assignments, before the change is answered. */
  follow(follower: Follower): Disposable;
}

/** A tariff's id with its time of creation. */
export interface TariffRow {
  readonly id: string;
  readonly createdAtMs: number;
}

/** The tariffs and the hours of locations that they apply to (rules I2.14, I4.9 and S5.3). */
export interface Tariffs {
  get(tariffId: string): Tariff | null;
  list(): readonly TariffRow[];
  /** Creates or replaces a tariff. Locations keep their links; an interval whose rate is gone has no price. */
  put(tariffId: string, tariff: Tariff): Promise<void>;
  /** Links a tariff to a location. Throws `not-found`, and `bad-request` for overlaps and unknown rates. */
  link(locationId: string, link: TariffLink): Promise<void>;
  /** Removes the link of a location. Throws `not-found` for the location. */
  unlink(locationId: string): Promise<void>;
  /** Returns the tariff entries of a location in UTC; empty without a tariff. Throws `not-found` for the location. */
  entries(locationId: string): readonly TariffEntry[];
}

/** A price for a span of time, wall-clock ms. */
export interface PriceSlot {
  readonly fromMs: number;
  readonly toMs: number;
  /** Currency units per kWh, a decimal number as text; never a float. */
  readonly cost: string;
}

/** A source of market prices, which apply where a location's tariff has none. */
export interface PriceSource {
  /** Returns the known prices in [fromMs, toMs) at coordinates, ascending, without overlaps; gaps are unknown. */
  between(
    place: { readonly latitude: number; readonly longitude: number },
    fromMs: number,
    toMs: number,
  ): readonly PriceSlot[];
  /** True if prices at coordinates are known or may become known. */
  covers(place: { readonly latitude: number; readonly longitude: number }): boolean;
  /** Calls the listener when more prices become known. Disposing the result unsubscribes. */
  observe(listener: () => void): Disposable;
}

/** Energy prices at a location: its tariff first, then market prices. */
export interface Prices {
  /** ISO 4217, alpha-3. */
  readonly currency: string;
  /** Returns the known prices in [fromMs, toMs), ascending, cut to the range, without overlaps; gaps are unknown. */
  between(locationId: string | null, fromMs: number, toMs: number): readonly PriceSlot[];
  /** True if the location has a tariff, or if market prices cover it. */
  hasSource(locationId: string | null): boolean;
  /** Calls the listener when prices of any location may have changed. Disposing the result unsubscribes. */
  observe(listener: () => void): Disposable;
}
