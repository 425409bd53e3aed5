/** Rule I4.3: locations and smart policies of HVAC units, and what else is refused. */
import { expect } from "vitest";
import type { Ask, Row } from "../row.ts";
import { about, NEWEST, PLACED, USER_IN_HEADER, USERS_IN_PATHS } from "../words.ts";

const says = about("I4.3");

const ONE = "/hvacs/{hvac}";
const HOLD = `POST ${ONE}/permanent-hold`;
const NOT_FOUND = { status: 404, problem: "not-found" };
const CONTROLLED = { status: 422, problem: "service-controlled-entity", body: { title: "Service Controlled Entity" } };
const BOTH = ["2024-10-01", "2023-04-01"];
const SCHEDULED: Ask = {
  ask: "POST /users/{user}/schedules",
  body: {
    targetId: "{hvac}",
    targetType: "hvac",
    isEnabled: true,
    defaultTargetState: { holdType: "PERMANENT", mode: "HEAT", heatSetpoint: 21 },
    rules: [],
  },
};

export const HVAC_MORE_ROWS: readonly Row[] = [
  says("An unknown unit is not found", { request: { ask: "GET /hvacs/{unknown}" }, expect: NOT_FOUND }),
  says("An unknown unit cannot be held", {
    request: { ask: "POST /hvacs/{unknown}/permanent-hold", body: { mode: "OFF" } },
    expect: NOT_FOUND,
  }),
  says("An unknown unit cannot follow a schedule", {
    request: { ask: "POST /hvacs/{unknown}/follow-schedule" },
    expect: NOT_FOUND,
  }),
  says("A hold of a mode that there is not is refused", {
    request: { ask: HOLD, body: { mode: "DRY" } },
    expect: { status: 400 },
  }),
  says("A mode that can only be reported cannot be requested", {
    request: { ask: HOLD, body: { mode: "UNKNOWN" } },
    expect: { status: 400 },
  }),
  says("A setpoint that is no number is refused", {
    request: { ask: HOLD, body: { mode: "COOL", coolSetpoint: "24" } },
    expect: { status: 400 },
  }),
  says("A unit follows its own schedule again when it shows so", {
    versions: BOTH,
    given: [
      { ask: HOLD, body: { mode: "COOL", coolSetpoint: 24 } },
      { device: "hvac", after: 60 },
      { ask: `POST ${ONE}/follow-schedule`, keep: { action: "id" } },
    ],
    request: { ask: "GET /hvacs/actions/{action}", after: 60 },
    expect: { status: 200, body: { state: "CONFIRMED", target: { holdType: "SCHEDULED" } } },
    afterwards: [{ ask: `GET ${ONE}`, expect: { status: 200, body: { thermostatState: { holdType: "SCHEDULED" } } } }],
  }),
  says("A unit under a schedule is not held by hand, nor let go", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [SCHEDULED, { device: "hvac", after: 5 }],
    request: { ask: HOLD, body: { mode: "OFF" } },
    expect: CONTROLLED,
    afterwards: [{ ask: `POST ${ONE}/follow-schedule`, expect: CONTROLLED }],
  }),
  says("A hold is cancelled on request", {
    versions: BOTH,
    given: [{ ask: HOLD, body: { mode: "OFF" }, keep: { action: "id" } }],
    request: { ask: "POST /hvacs/actions/{action}/cancel" },
    expect: { status: 200, body: { id: "{action}", state: "CANCELLED" } },
    afterwards: [{ ask: "POST /hvacs/actions/{action}/cancel", expect: { status: 409, body: { state: "CANCELLED" } } }],
  }),
  says("Cancelling an unknown action on a unit is 404 with an empty body", {
    request: { ask: "POST /hvacs/actions/{unknown}/cancel" },
    expect: { status: 404, isEmpty: true },
  }),
  says("A hint for an unknown unit is 404 with an empty body", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /hvacs/{unknown}/refresh-hint" },
    expect: { status: 404, isEmpty: true },
  }),
  says("A unit is put at a location, and taken from it", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [PLACED, { ask: `PUT ${ONE}`, body: { locationId: "{location}" } }],
    request: { ask: `GET ${ONE}` },
    expect: { status: 200, body: { locationId: "{location}", location: { id: "{location}" } } },
    afterwards: [
      { ask: `PUT ${ONE}`, body: { locationId: null }, expect: { status: 200, body: { locationId: null } } },
    ],
  }),
  says("A location that there is not cannot be that of a unit", {
    versions: USERS_IN_PATHS,
    request: { ask: `PUT ${ONE}`, body: { locationId: "{unknown}" } },
    expect: { status: 404 },
  }),
  says("The location of a unit has to be named", {
    versions: USERS_IN_PATHS,
    request: { ask: `PUT ${ONE}`, body: {} },
    expect: { status: 400, body: { issues: [{ in: "body", path: ["locationId"] }] } },
  }),
  says("Before 2023-08-01 a unit is put at a charging location", {
    versions: USER_IN_HEADER,
    request: { ask: `PUT ${ONE}`, body: { chargingLocationId: null } },
    expect: { status: 200, body: { id: "{hvac}", chargingLocationId: null } },
  }),
  says("The smart policy is off at first, and switched on", {
    versions: BOTH,
    request: { ask: `GET ${ONE}/smart-policy` },
    expect: { status: 200, exactly: { isEnabled: false } },
    afterwards: [
      {
        ask: `PUT ${ONE}/smart-policy`,
        body: { isEnabled: true },
        expect: { status: 200, exactly: { isEnabled: true } },
      },
      { ask: `GET ${ONE}/smart-policy`, expect: { status: 200, exactly: { isEnabled: true } } },
    ],
  }),
  says("A policy that says nothing changes nothing", {
    versions: BOTH,
    request: { ask: `PUT ${ONE}/smart-policy`, body: {} },
    expect: { status: 200, exactly: { isEnabled: false } },
  }),
  says("A policy that is neither on nor off is refused", {
    request: { ask: `PUT ${ONE}/smart-policy`, body: { isEnabled: "yes" } },
    expect: { status: 400 },
  }),
  says("The smart status has no intervals while it is off", {
    request: { ask: `GET ${ONE}/smart-status` },
    expect: { status: 200, exactly: { hvacId: "{hvac}", userId: "{user}", intervals: [] } },
  }),
  says("The smart status tells the setpoints of the day, as times of the day", {
    versions: NEWEST,
    given: [
      { ...PLACED, body: { name: "House", latitude: 52.5, longitude: 13.4 } },
      { ask: `PUT ${ONE}`, body: { locationId: "{location}" } },
      {
        ask: "PUT /tariffs/t",
        body: [
          { name: "low", cost: "0.1" },
          { name: "normal", cost: "0.2" },
          { name: "high", cost: "0.4" },
        ],
      },
      {
        ask: "PUT /locations/{location}/tariff",
        body: {
          tariffId: "t",
          tariffIntervals: [
            { name: "low", from: "00:00", to: "06:00" },
            { name: "normal", from: "06:00", to: "18:00" },
            { name: "high", from: "18:00", to: "24:00" },
          ],
        },
      },
      { ask: `PUT ${ONE}/smart-policy`, body: { isEnabled: true } },
    ],
    request: { ask: `GET ${ONE}/smart-status`, after: 60 },
    expect: {
      status: 200,
      exactly: {
        hvacId: "{hvac}",
        userId: "{user}",
        intervals: [
          { from: "00:00", to: "06:00", heatSetpoint: 21 },
          { from: "06:00", to: "18:00", heatSetpoint: 20 },
          { from: "18:00", to: "24:00", heatSetpoint: 19 },
        ],
      },
    },
  }),
  says("An unknown unit has no smart policy", {
    request: { ask: "GET /hvacs/{unknown}/smart-policy" },
    expect: NOT_FOUND,
  }),
  says("An unknown unit has no smart status", {
    request: { ask: "GET /hvacs/{unknown}/smart-status" },
    expect: { ...NOT_FOUND, body: { detail: expect.any(String) } },
  }),
];
