/** Interface 9, supplement 9.2. */
import { expect } from "vitest";
import type { Row } from "../row.ts";

function says(statement: string, row: Omit<Row, "part" | "statement">): Row {
  return { part: "9", statement, ...row };
}

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
];
