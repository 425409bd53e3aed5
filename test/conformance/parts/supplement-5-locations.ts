/** Rule S5: locations. */
import { expect } from "vitest";
import { LOCATION } from "../given.ts";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const endpoint = says("S5.1");
const place = says("S5.2");
const CREATE = "POST /users/{user}/locations";
const HOUSE = { name: "House", latitude: 52.5, longitude: 13.4, timezoneName: "Europe/Berlin" };
const ONE = "/locations/{location}";
const WITH_USERS = { from: "2023-08-01" };

const WRONG = [
  ["a latitude above 90", { ...HOUSE, latitude: 90.1 }],
  ["a latitude below -90", { ...HOUSE, latitude: -90.1 }],
  ["a longitude above 180", { ...HOUSE, longitude: 180.1 }],
  ["a longitude below -180", { ...HOUSE, longitude: -180.1 }],
  ["an empty name", { ...HOUSE, name: "" }],
  ["a name of more than 255 characters", { ...HOUSE, name: "a".repeat(256) }],
  ["a time zone that there is not", { ...HOUSE, timezoneName: "Mars/Olympus" }],
  ["no name", { latitude: 1, longitude: 1 }],
  ["no latitude", { name: "a", longitude: 1 }],
  ["no longitude", { name: "a", latitude: 1 }],
  ["an unknown key", { ...HOUSE, colour: "red" }],
] as const;

const PLACED = [
  ["batteries/{battery}", "battery"],
  ["inverters/{inverter}", "inverter"],
  ["meters/{meter}", "meter"],
  ["vehicles/{vehicle}", "vehicle"],
] as const;

/** A tenth of a degree of latitude is 11 km. */
const METRES_PER_DEGREE = 111_195;

export const LOCATION_ROWS: readonly Row[] = [
  endpoint("A location is made with 201", {
    versions: WITH_USERS,
    request: { ask: CREATE, body: HOUSE },
    expect: { status: 201, body: { id: expect.stringMatching(/^[0-9a-f-]{36}$/), userId: "{user}", ...HOUSE } },
  }),
  endpoint("A location says when it was made from 2024-10-01", {
    versions: NEWEST,
    request: { ask: CREATE, body: HOUSE },
    expect: { status: 201, body: { createdAt: expect.any(String) } },
  }),
  endpoint("A location does not say when it was made before 2024-10-01", {
    versions: { from: "2023-08-01", before: "2024-10-01" },
    request: { ask: CREATE, body: HOUSE },
    expect: { status: 201, lacks: ["createdAt"] },
  }),
  endpoint("A location without a time zone is in UTC", {
    versions: NEWEST,
    request: { ask: CREATE, body: { name: "a", latitude: 0, longitude: 0 } },
    expect: { status: 201, body: { timezoneName: "UTC" } },
  }),
  ...WRONG.map(([what, body]) =>
    endpoint(`A location with ${what} is refused`, {
      versions: WITH_USERS,
      request: { ask: CREATE, body },
      expect: { status: 400, body: { issues: [{ in: "body" }] } },
    }),
  ),
  endpoint("A location of an unknown user is refused", {
    versions: WITH_USERS,
    request: { ask: "POST /users/nobody/locations", body: HOUSE },
    expect: { status: 404, problem: "not-found", body: { title: "User does not exist" } },
  }),
  endpoint("Locations of all users are listed in pages", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [LOCATION],
    request: { ask: "GET /locations" },
    expect: { status: 200, body: { data: [{ id: "{location}" }], pagination: { after: null, before: null } } },
  }),
  endpoint("Locations of a user are listed in pages", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [LOCATION],
    request: { ask: "GET /users/{user}/locations" },
    expect: { status: 200, body: { data: [{ id: "{location}" }] } },
  }),
  endpoint("Another user's list has it not", {
    versions: NEWEST,
    given: [LOCATION],
    request: { ask: "GET /users/{neighbour}/locations" },
    expect: { status: 200, body: { data: [] } },
  }),
  endpoint("A location is read", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [LOCATION],
    request: { ask: `GET ${ONE}` },
    expect: { status: 200, body: { id: "{location}", name: "House" } },
  }),
  endpoint("A change of a location names only what changes", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [LOCATION],
    request: { ask: `PUT ${ONE}`, body: { name: "Hut" } },
    expect: { status: 200, body: { id: "{location}", name: "Hut", latitude: 52.5, timezoneName: "UTC" } },
  }),
  endpoint("A deleted location is answered with 200", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [LOCATION],
    request: { ask: `DELETE ${ONE}` },
    expect: { status: 200, body: { id: "{location}", name: "House" } },
    afterwards: [{ ask: `GET ${ONE}`, expect: { status: 404, problem: "not-found" } }],
  }),
  ...["GET", "DELETE"].map((method) =>
    endpoint(`${method} of an unknown location is not found`, {
      versions: WITH_USERS,
      request: { ask: `${method} /locations/{unknown}` },
      expect: { status: 404, problem: "not-found" },
    }),
  ),
  ...PLACED.map(([path, kind]) =>
    place(`A ${kind} is at the location by its coordinates`, {
      versions: NEWEST,
      given: [LOCATION],
      request: { ask: `GET /${path}` },
      expect: { status: 200, body: { location: { id: "{location}", lastUpdated: expect.any(String) } } },
    }),
  ),
  ...(
    [
      ["vehicle", 140, true],
      ["vehicle", 160, false],
      ["battery", 490, true],
      ["battery", 510, false],
    ] as const
  ).map(([kind, metres, isThere]) =>
    place(`A ${kind} ${metres} m away is ${isThere ? "at" : "not at"} the location`, {
      versions: NEWEST,
      given: [
        { ...LOCATION, body: { ...HOUSE, latitude: 52.5 + metres / METRES_PER_DEGREE } },
        { ask: "GET /locations", keep: { location: "data.0.id" } },
      ],
      request: { ask: kind === "vehicle" ? "GET /vehicles/{vehicle}" : "GET /batteries/{battery}" },
      expect: { status: 200, body: { location: { id: isThere ? "{location}" : null } } },
    }),
  ),
  place("Of two locations the nearer one counts", {
    versions: NEWEST,
    given: [LOCATION, { ...LOCATION, body: { ...HOUSE, latitude: 52.5004 }, keep: { other: "id" } }],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { location: { id: "{location}" } } },
  }),
  place("Another user's location does not count", {
    versions: NEWEST,
    given: [{ ...LOCATION, ask: "POST /users/{neighbour}/locations" }],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { location: { id: null } } },
  }),
  place("Devices follow a location that moves", {
    versions: NEWEST,
    given: [LOCATION, { ask: `PUT ${ONE}`, body: { latitude: 10 } }],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { location: { id: null } } },
  }),
  place("A vehicle that drives away is at no location", {
    versions: NEWEST,
    given: [LOCATION, { device: "vehicle", show: { "vehicle.latitude": 50 }, after: 5 }],
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { location: { id: null, latitude: 50 } } },
  }),
  place("Devices of a deleted location are at none", {
    versions: NEWEST,
    given: [LOCATION, { ask: "PUT /chargers/{charger}", body: { locationId: "{location}" } }, { ask: `DELETE ${ONE}` }],
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { locationId: null, location: { id: null } } },
    afterwards: [{ ask: "GET /vehicles/{vehicle}", expect: { status: 200, body: { location: { id: null } } } }],
  }),
  place("A HVAC unit of a deleted location is at none, and its smart status has no intervals", {
    versions: WITH_USERS,
    given: [
      { ask: CREATE, body: HOUSE, keep: { location: "id" } },
      { ask: "PUT /hvacs/{hvac}", body: { locationId: "{location}" } },
      { ask: "PUT /hvacs/{hvac}/smart-policy", body: { isEnabled: true } },
      { ask: `DELETE ${ONE}` },
    ],
    request: { ask: "GET /hvacs/{hvac}", after: 60 },
    expect: { status: 200, body: { locationId: null, location: { id: null } } },
    afterwards: [
      {
        ask: "GET /hvacs/{hvac}/smart-status",
        expect: { status: 200, exactly: { hvacId: "{hvac}", userId: "{user}", intervals: [] } },
      },
    ],
  }),
  place("A HVAC unit of a deleted charging location is at none", {
    versions: { before: "2023-08-01" },
    given: [
      { ask: "POST /charging-locations", body: HOUSE, keep: { location: "id" } },
      { ask: "PUT /hvacs/{hvac}", body: { chargingLocationId: "{location}" } },
      { ask: "DELETE /charging-locations/{location}" },
    ],
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { chargingLocationId: null } },
  }),
  place("A location that was deleted can be made again, and a HVAC unit put there", {
    versions: WITH_USERS,
    given: [
      { ask: CREATE, body: HOUSE, keep: { old: "id" } },
      { ask: "PUT /hvacs/{hvac}", body: { locationId: "{old}" } },
      { ask: "DELETE /locations/{old}" },
      { ask: CREATE, body: HOUSE, keep: { location: "id" } },
    ],
    request: { ask: "PUT /hvacs/{hvac}", body: { locationId: "{location}" } },
    expect: { status: 200, body: { locationId: "{location}", location: { id: "{location}" } } },
    afterwards: [{ ask: "PUT /hvacs/{hvac}", body: { locationId: "{old}" }, expect: { status: 404 } }],
  }),
  place("Schedules of a deleted location have none and are off", {
    versions: NEWEST,
    given: [
      LOCATION,
      {
        ask: "POST /users/{user}/schedules",
        body: {
          targetType: "charger",
          targetId: "{charger}",
          locationId: "{location}",
          isEnabled: true,
          defaultShouldCharge: true,
          rules: [],
        },
        keep: { schedule: "id" },
      },
      { ask: `DELETE ${ONE}` },
    ],
    request: { ask: "GET /schedules/{schedule}" },
    expect: { status: 200, body: { locationId: null, isEnabled: false } },
  }),
];
