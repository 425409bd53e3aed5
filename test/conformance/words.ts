/** What many rows share. */
import { expect } from "vitest";
import type { Ask, Row } from "./row.ts";

/** Makes rows of one part. */
export function about(part: string): (statement: string, row: Omit<Row, "part" | "statement">) => Row {
  return (statement, row) => ({ part, statement, ...row });
}

/** The version described by the interface. */
export const NEWEST = { from: "2024-10-01" } as const;
/** Those before it. */
export const OLDER = { before: "2024-10-01" } as const;
/** Users in paths, pages, hints to read soon. */
export const USERS_IN_PATHS = { from: "2023-08-01" } as const;
/** The user in a header, plain lists. */
export const USER_IN_HEADER = { before: "2023-08-01" } as const;

/** An instant as the API writes it. */
export const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
export const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
export const BOOLEAN = expect.any(Boolean);
export const TEXT = expect.any(String);
export const NUMBER = expect.any(Number);
export const CAPABLE = { isCapable: true, interventionIds: [] };
export const INCAPABLE = { isCapable: false, interventionIds: expect.any(Array) };
export const NOT_CUT = { after: null, before: null };

/** A client that hears of everything, at the address where the house has a receiver. */
export const LISTENING: Ask = {
  ask: "POST /webhooks",
  body: { url: "https://hooks.example/in", secret: "example-secret" },
  keep: { webhook: "id" },
};

/** The place where the devices of the house say they are. */
export const HOUSE = { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };

/** Makes the house's location in paths of the newer versions. */
export const PLACED: Ask = { ask: "POST /users/{user}/locations", body: HOUSE, keep: { location: "id" } };

/** Cheap from 03:00 to 06:00 UTC: a tariff, and the location that it is linked to. */
export const PRICED: readonly Ask[] = [
  { ask: "POST /users/{user}/locations", body: { ...HOUSE, timezoneName: "UTC" }, keep: { location: "id" } },
  {
    ask: "PUT /tariffs/night",
    body: [
      { name: "day", cost: "0.30" },
      { name: "night", cost: "0.10" },
    ],
  },
  {
    ask: "PUT /locations/{location}/tariff",
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
