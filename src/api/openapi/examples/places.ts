/** Examples of locations and tariffs. */
import type { Location, LocationChanges, NewLocation } from "../../../domain/places/location.ts";
import type { Tariff, TariffEntry, TariffLink } from "../../../domain/places/tariff.ts";

const NEW_LOCATION: NewLocation = {
  name: "House",
  latitude: 52.52,
  longitude: 13.405,
  timezoneName: "Europe/Berlin",
};

const LOCATION: Location = {
  ...NEW_LOCATION,
  id: "5f2b6f0a-93b4-4b0e-8d8b-0a43b2f2a1c7",
  userId: "home",
  createdAt: "2026-06-21T10:15:30.000Z",
};

const CHANGES: LocationChanges = { name: "Cabin" };

const TARIFF: Tariff = [
  { name: "day", cost: "0.31" },
  { name: "night", cost: "0.184" },
];

const LINK: TariffLink = {
  tariffId: "grid_2026",
  tariffIntervals: [
    { name: "night", from: "00:00", to: "06:00" },
    { name: "day", from: "06:00", to: "24:00", weekdays: [0, 1, 2, 3, 4] },
  ],
};

const ENTRY: TariffEntry = {
  weekday: 0,
  fromHourMinute: "04:00",
  toHourMinute: "22:00",
  tariffId: "grid_2026",
  tariffName: "day",
};

export const PLACE_EXAMPLES: Readonly<Record<string, readonly unknown[]>> = {
  NewLocation: [NEW_LOCATION],
  Location: [LOCATION],
  LocationChanges: [CHANGES],
  PlaceRequest: [{ locationId: LOCATION.id }, { locationId: null }],
  Tariff: [TARIFF],
  TariffLink: [LINK],
  TariffEntry: [ENTRY],
  TariffPage: [{ data: [LINK.tariffId], pagination: { after: null, before: null } }],
};
