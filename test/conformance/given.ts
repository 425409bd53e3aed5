/** What several parts have happen first. */
import type { Ask, Happening } from "./row.ts";

const version = "2024-10-01";

/** A location where the devices of the house stand. */
export const LOCATION: Ask = {
  ask: "POST /users/{user}/locations",
  version,
  body: { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "UTC" },
  keep: { location: "id" },
};

/** Dear days and cheap nights, from 03:00 to 06:00, at the location. The house's clock begins at midnight UTC. */
export const PRICES: readonly Ask[] = [
  {
    ask: "PUT /tariffs/night",
    version,
    body: [
      { name: "day", cost: "0.30" },
      { name: "night", cost: "0.10" },
    ],
  },
  {
    ask: "PUT /locations/{location}/tariff",
    version,
    body: {
      tariffId: "night",
      tariffIntervals: [
        { name: "day", from: "00:00", to: "03:00" },
        { name: "night", from: "03:00", to: "06:00" },
        { name: "day", from: "06:00", to: "24:00" },
      ],
    },
  },
];

/** The vehicle charges, at the location with prices. */
export const CHARGING_AT_HOME: readonly (Ask | Happening)[] = [
  LOCATION,
  ...PRICES,
  {
    device: "vehicle",
    show: { "vehicle.state": "PLUGGED_IN:CHARGING", "vehicle.power": 10_000, "vehicle.enabled": true },
    after: 5,
  },
];

/** The charger stands at the location with prices. */
export const CHARGER_AT_HOME: readonly Ask[] = [
  LOCATION,
  ...PRICES,
  { ask: "PUT /chargers/{charger}", version, body: { locationId: "{location}" } },
];
