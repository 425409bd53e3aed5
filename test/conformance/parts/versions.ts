/** Rules I9 and S9.2. */
import { expect } from "vitest";
import type { Row } from "../row.ts";

function says(statement: string, row: Omit<Row, "part" | "statement">): Row {
  return { part: "I9", statement, ...row };
}

const PLACE = { name: "Home", latitude: 52.5, longitude: 13.4 };
const DAY = { tariffId: "t-1", tariffIntervals: [{ name: "day", from: "06:00", to: "22:00" }] };
const NIGHT = {
  targetType: "charger",
  targetId: "{charger}",
  chargingLocationId: null,
  isEnabled: false,
  defaultShouldCharge: false,
  rules: [],
};
const WARM = {
  targetType: "hvac",
  targetId: "{hvac}",
  isEnabled: false,
  defaultTargetState: { holdType: "SCHEDULED" },
  rules: [],
};

export const VERSION_ROWS: readonly Row[] = [
  ...["2024-10-01", "2024-01-01", "2023-08-01", "2023-05-01", "2023-04-15", "2023-04-01"].map((date) =>
    says(`The header asks for ${date}, and the answer says so`, {
      versions: { from: "2024-10-01" },
      request: { ask: "GET /batteries", version: date },
      expect: { status: 200, headers: { "service-version": date } },
    }),
  ),
  says("A client is pinned to the newest version when it is made", {
    versions: { from: "2024-10-01" },
    request: { ask: "GET /openapi.json" },
    expect: { status: 200, body: { info: { version: "2024-10-01" } } },
  }),
  says("A version that is not served is 400 and names those that are", {
    versions: { from: "2024-10-01" },
    request: { ask: "GET /batteries", version: "2020-02-02" },
    expect: { status: 400, problem: "unsupported-version" },
  }),
  says("Every version has a description of its own", {
    request: { ask: "GET /openapi.json", token: null },
    expect: { status: 200, body: { openapi: "3.1.0" } },
  }),
  says("The description is OpenAPI 3.0", {
    request: { ask: "GET /openapi.json", token: null },
    expect: { status: 200, body: { openapi: expect.stringMatching(/^3\.0\./) } },
    unmet: "The description is OpenAPI 3.1, which says null and examples as JSON Schema does.",
  }),
  says("A battery's location is an object with its id from 2024-10-01", {
    versions: { from: "2024-10-01" },
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { location: { id: null }, hemSystemId: expect.any(String) }, lacks: ["locationId"] },
  }),
  says("A battery's location id is at the top before 2024-10-01", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { locationId: null }, lacks: ["location.id", "location.lastUpdated", "hemSystemId"] },
  }),
  says("A vehicle names its location as a charging location before 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { chargingLocationId: null }, lacks: ["locationId", "location.id"] },
  }),
  says("An inverter has no serial number of its own and no HEM system before 2024-10-01", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /inverters/{inverter}" },
    expect: {
      status: 200,
      body: { chargingLocationId: null },
      lacks: ["information.sn", "hemSystemId", "location.id"],
    },
  }),
  says("A meter's location is its coordinates alone before 2024-10-01", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /meters/{meter}" },
    expect: { status: 200, body: { energyState: { power: -0.45 } }, lacks: ["location.id", "hemSystemId"] },
  }),
  says("Assets name their scopes from 2024-01-01", {
    versions: { from: "2024-01-01" },
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { scopes: ["charger:control:charging", "charger:read:data"] } },
  }),
  says("Assets name no scopes before 2024-01-01", {
    versions: { before: "2024-01-01" },
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, lacks: ["scopes"] },
  }),
  says("Vehicles are a plain list before 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /vehicles" },
    expect: { status: 200, body: [{ id: "{vehicle}" }] },
  }),
  says("HEM systems are from 2024-10-01", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /hem-systems" },
    expect: { status: 404, problem: "not-found" },
  }),
  says("Paths of a user's own things are from 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /users/{user}/chargers" },
    expect: { status: 404, problem: "not-found" },
  }),
  says("A location was a charging location before 2023-08-01, at a path of its own", {
    versions: { before: "2023-08-01" },
    given: [{ ask: "POST /charging-locations", body: PLACE, keep: { place: "id" } }],
    request: { ask: "GET /charging-locations/{place}" },
    expect: { status: 200, body: { id: "{place}", name: "Home" }, lacks: ["createdAt"] },
    afterwards: [
      { ask: "GET /charging-locations", expect: { status: 200, body: [{ id: "{place}" }] } },
      { ask: "GET /locations/{place}", expect: { status: 404, problem: "not-found" } },
      {
        ask: "PUT /chargers/{charger}",
        body: { chargingLocationId: "{place}" },
        expect: { status: 200, body: { chargingLocationId: "{place}" } },
      },
      {
        ask: "PUT /chargers/{charger}",
        body: { locationId: "{place}" },
        expect: { status: 400, problem: "payload-validation-error", body: { issues: [{ path: ["locationId"] }] } },
      },
      { ask: "DELETE /charging-locations/{place}", expect: { status: 200, body: { id: "{place}" } } },
    ],
  }),
  says("A tariff is linked to a charging location before 2023-08-01", {
    versions: { before: "2023-08-01" },
    given: [
      { ask: "POST /charging-locations", body: PLACE, keep: { place: "id" } },
      { ask: "PUT /tariffs/t-1", body: [{ name: "day", cost: "0.30" }] },
      { ask: "PUT /charging-locations/{place}/tariff", body: DAY },
    ],
    request: { ask: "GET /charging-locations/{place}/tariff" },
    expect: { status: 200, body: [{ tariffId: "t-1", tariffName: "day" }] },
  }),
  says("A schedule is made at /schedules with 201 before 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: "POST /schedules", body: NIGHT, keep: { schedule: "id" } },
    expect: { status: 201, body: { targetId: "{charger}", chargingLocationId: null }, lacks: ["locationId"] },
    afterwards: [
      { ask: "GET /schedules", expect: { status: 200, body: [{ id: "{schedule}" }] } },
      {
        ask: "GET /schedules/{schedule}",
        headers: { "service-user-id": "stranger" },
        expect: { status: 404, problem: "not-found" },
      },
    ],
  }),
  says("Temperature schedules are from 2023-05-01", {
    versions: { before: "2023-05-01" },
    given: [{ ask: "POST /users/{user}/schedules", version: "2024-10-01", body: WARM, keep: { schedule: "id" } }],
    request: { ask: "GET /schedules" },
    expect: { status: 200, exactly: [] },
    afterwards: [
      { ask: "GET /schedules/{schedule}", expect: { status: 404, problem: "not-found" } },
      { ask: "POST /schedules", body: WARM, expect: { status: 400, problem: "payload-validation-error" } },
    ],
  }),
  says("A schedule's status names the override externalStart before 2023-05-01", {
    versions: { before: "2023-05-01" },
    given: [{ ask: "POST /schedules", body: NIGHT, keep: { schedule: "id" } }],
    request: { ask: "GET /schedules/{schedule}/status" },
    expect: { status: 200, body: { state: "INACTIVE:DISABLED", externalStart: null }, lacks: ["smartOverride"] },
  }),
  says("A schedule's status names the override smartOverride from 2023-05-01", {
    versions: { from: "2023-05-01", before: "2023-08-01" },
    given: [{ ask: "POST /schedules", body: NIGHT, keep: { schedule: "id" } }],
    request: { ask: "GET /schedules/{schedule}/status" },
    expect: { status: 200, body: { smartOverride: null }, lacks: ["externalStart"] },
  }),
  says("A vehicle's policy leaves out a deadline that there is not before 2024-10-01", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /vehicles/{vehicle}/smart-charging-policy" },
    expect: { status: 200, body: { isEnabled: false, minimumChargeLimit: 0 }, lacks: ["deadline"] },
  }),
  says("A vehicle's policy has a null deadline from 2024-10-01", {
    versions: { from: "2024-10-01" },
    request: { ask: "GET /vehicles/{vehicle}/smart-charging-policy" },
    expect: { status: 200, exactly: { isEnabled: false, deadline: null, minimumChargeLimit: 0 } },
  }),
];
