/** Rules I4.3 and S2.7. */
import { expect } from "vitest";
import type { Row } from "../row.ts";

function says(statement: string, row: Omit<Row, "part" | "statement">): Row {
  return { part: "I4.3", statement, ...row };
}

const HOLD = "POST /hvacs/{hvac}/permanent-hold";

export const HVAC_ROWS: readonly Row[] = [
  says("HVAC units are listed in pages from 2023-08-01", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /hvacs" },
    expect: { status: 200, body: { data: [{ id: "{hvac}" }] } },
  }),
  says("HVAC units were a list of ids before 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /hvacs" },
    expect: { status: 200, exactly: ["{hvac}"] },
  }),
  says("One unit is read by its id, with the old fields beside the new", {
    request: { ask: "GET /hvacs/{hvac}" },
    expect: {
      status: 200,
      body: {
        mode: "HEAT",
        heatSetpoint: 20,
        thermostatState: { mode: "HEAT", heatSetpoint: 20, coolSetpoint: 25, holdType: "SCHEDULED" },
        temperatureState: { currentTemperature: 19.5, isActive: true },
        consumptionRate: 1.2,
        capabilities: { capableHoldTypes: ["PERMANENT", "SCHEDULED"] },
        locationId: null,
        location: { id: null },
      },
    },
  }),
  says("Before 2023-08-01 a unit's location is its charging location", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /hvacs/{hvac}" },
    expect: { status: 200, body: { chargingLocationId: null } },
  }),
  ...(
    [
      ["COOL", { mode: "COOL", coolSetpoint: 24 }],
      ["HEAT", { mode: "HEAT", heatSetpoint: 21 }],
      ["AUTO", { mode: "AUTO", coolSetpoint: 26, heatSetpoint: 20 }],
      ["OFF", { mode: "OFF" }],
    ] as const
  ).map(([mode, hold]) =>
    says(`A permanent hold of mode ${mode} answers a pending action`, {
      request: { ask: HOLD, body: hold },
      expect: {
        status: 200,
        body: { state: "PENDING", targetType: "hvac", target: { ...hold, holdType: "PERMANENT" }, failureReason: null },
        lacks: ["kind", "targetState"],
      },
    }),
  ),
  says("A hold without the setpoint of its mode is refused", {
    request: { ask: HOLD, body: { mode: "COOL" } },
    expect: { status: 400 },
  }),
  says("A hold with a setpoint of another mode is refused", {
    request: { ask: HOLD, body: { mode: "COOL", coolSetpoint: 24, heatSetpoint: 20 } },
    expect: { status: 400 },
  }),
  says("A setpoint that the unit does not reach is refused", {
    request: { ask: HOLD, body: { mode: "COOL", coolSetpoint: 99 } },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("An AUTO hold that cools below what it heats to is refused", {
    request: { ask: HOLD, body: { mode: "AUTO", coolSetpoint: 18, heatSetpoint: 24 } },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("A hold is confirmed when the unit shows it", {
    given: [{ ask: HOLD, body: { mode: "COOL", coolSetpoint: 24 }, keep: { action: "id" } }],
    request: { ask: "GET /hvacs/actions/{action}", after: 60 },
    expect: { status: 200, body: { state: "CONFIRMED", completedAt: expect.any(String) } },
    afterwards: [
      {
        ask: "GET /hvacs/{hvac}",
        expect: { status: 200, body: { thermostatState: { mode: "COOL", coolSetpoint: 24, holdType: "PERMANENT" } } },
      },
    ],
  }),
  says("Following the unit's own schedule cancels a pending hold", {
    given: [{ ask: HOLD, body: { mode: "COOL", coolSetpoint: 24 }, keep: { action: "id" } }],
    request: { ask: "POST /hvacs/{hvac}/follow-schedule" },
    expect: { status: 200, body: { target: { holdType: "SCHEDULED" } } },
    afterwards: [
      {
        ask: "GET /hvacs/actions/{action}",
        expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "CONFLICT" } } },
      },
    ],
  }),
  says("An unknown action on a unit is 404 with an empty body", {
    request: { ask: "GET /hvacs/actions/{unknown}" },
    expect: { status: 404, isEmpty: true },
  }),
  says("A hint to read the unit soon is taken", {
    versions: { from: "2023-08-01" },
    request: { ask: "POST /hvacs/{hvac}/refresh-hint" },
    expect: { status: 204, isEmpty: true },
  }),
];
