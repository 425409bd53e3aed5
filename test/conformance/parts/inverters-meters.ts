/** Rules I4.6 and I4.7: inverters and meters. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { about, NEWEST, NOT_CUT, OLDER, TEXT, USER_IN_HEADER, USERS_IN_PATHS } from "../words.ts";

const inverter = about("I4.6");
const meter = about("I4.7");

const NOT_FOUND = { status: 404, problem: "not-found" };
const TAKEN = { status: 204, isEmpty: true } as const;
const NOTHING = { status: 404, isEmpty: true } as const;

const INVERTER_ROWS: readonly Row[] = [
  inverter("Inverters are listed in pages from 2023-08-01", {
    versions: USERS_IN_PATHS,
    request: { ask: "GET /inverters" },
    expect: { status: 200, body: { data: [{ id: "{inverter}" }], pagination: NOT_CUT } },
  }),
  inverter("Inverters were a list of ids before 2023-08-01", {
    versions: USER_IN_HEADER,
    request: { ask: "GET /inverters" },
    expect: { status: 200, exactly: ["{inverter}"] },
  }),
  inverter("One inverter is read by its id", {
    request: { ask: "GET /inverters/{inverter}" },
    expect: {
      status: 200,
      body: {
        id: "{inverter}",
        userId: "{user}",
        vendor: "SMA",
        isReachable: true,
        productionState: { productionRate: 3.21, isProducing: true, totalLifetimeProduction: 1_234 },
        information: { id: "I-1", brand: "SMA", model: "STP" },
        location: { longitude: 13.4, latitude: 52.5 },
        timezone: "Europe/Berlin",
      },
    },
  }),
  ...["information", "productionState", "location"].map((field) =>
    inverter(`A read may name ${field} to be read from the device before 2023-08-01`, {
      versions: USER_IN_HEADER,
      request: { ask: `GET /inverters/{inverter}?field[]=${field}` },
      expect: { status: 200, body: { id: "{inverter}" } },
    }),
  ),
  inverter("A field that inverters do not have cannot be read from the device", {
    versions: USER_IN_HEADER,
    request: { ask: "GET /inverters/{inverter}?field[]=odometer" },
    expect: { status: 400, problem: "validation-error" },
  }),
  inverter("An unknown inverter is not found", { request: { ask: "GET /inverters/{unknown}" }, expect: NOT_FOUND }),
  inverter("An id that is no uuid is not found either", { request: { ask: "GET /inverters/x" }, expect: NOT_FOUND }),
  inverter("A hint to read the inverter soon is taken", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /inverters/{inverter}/refresh-hint" },
    expect: TAKEN,
  }),
  inverter("A hint for an unknown inverter is 404 with an empty body", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /inverters/{unknown}/refresh-hint" },
    expect: NOTHING,
  }),
];

const METER_ROWS: readonly Row[] = [
  meter("Meters are listed in pages", {
    request: { ask: "GET /meters?pageSize=1" },
    expect: { status: 200, body: { data: [{ id: TEXT }], pagination: { after: TEXT, before: null } } },
  }),
  meter("One meter is read by its id", {
    request: { ask: "GET /meters/{meter}" },
    expect: {
      status: 200,
      body: { id: "{meter}", userId: "{user}", energyState: { power: -0.45 }, information: { brand: "SMA" } },
    },
  }),
  meter("An unknown meter is not found", { request: { ask: "GET /meters/{unknown}" }, expect: NOT_FOUND }),
  meter("A hint to read the meter soon is taken", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /meters/{meter}/refresh-hint" },
    expect: TAKEN,
  }),
  meter("A hint for an unknown meter is 404 with an empty body", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /meters/{unknown}/refresh-hint" },
    expect: NOTHING,
  }),
  meter("A user's meters are a list of their own", {
    versions: USERS_IN_PATHS,
    request: { ask: "GET /users/{neighbour}/meters" },
    expect: { status: 200, body: { data: [{ id: "{neighbourMeter}", userId: "{neighbour}" }], pagination: NOT_CUT } },
  }),
  meter("HEM systems are listed in pages, each with its user", {
    versions: NEWEST,
    request: { ask: "GET /hem-systems" },
    expect: {
      status: 200,
      body: {
        data: expect.arrayContaining([
          expect.objectContaining({ userId: "home" }),
          expect.objectContaining({ userId: "neighbour" }),
        ]),
        pagination: NOT_CUT,
      },
    },
  }),
  meter("An unknown HEM system is not found", {
    versions: NEWEST,
    request: { ask: "GET /hem-systems/{unknown}" },
    expect: NOT_FOUND,
  }),
  meter("There are no HEM systems before 2024-10-01", {
    versions: OLDER,
    request: { ask: "GET /hem-systems/{unknown}" },
    expect: NOT_FOUND,
  }),
];

export const INVERTER_METER_ROWS: readonly Row[] = [...INVERTER_ROWS, ...METER_ROWS];
