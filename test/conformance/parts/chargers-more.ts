/** Rule I4.4: smart overrides and smart charging of chargers, and what else is refused. */
import type { Ask, Row } from "../row.ts";
import { about, INSTANT, NEWEST, PLACED, USER_IN_HEADER, USERS_IN_PATHS, UUID } from "../words.ts";

const says = about("I4.4");

const ONE = "/chargers/{charger}";
const CHARGING = `POST ${ONE}/charging`;
const POLICY = `${ONE}/smart-charging-policy`;
const NOT_FOUND = { status: 404, problem: "not-found" };
const NO_OVERRIDE = { status: 404, problem: "not-found", body: { title: "No Smart Override Exists" } };
const RECORD = {
  createdAt: INSTANT,
  endedAt: null,
  targetId: "{charger}",
  targetType: "charger",
  vendorActionId: UUID,
  userId: "{user}",
  vendor: "KEBA",
};
/** The oldest and the newest, for what is alike in all. */
const BOTH = ["2024-10-01", "2023-04-01"];
const SCHEDULED: Ask = {
  ask: "POST /users/{user}/schedules",
  version: "2024-10-01",
  body: {
    targetId: "{charger}",
    targetType: "charger",
    locationId: null,
    isEnabled: true,
    defaultShouldCharge: false,
    rules: [],
  },
  keep: { schedule: "id" },
};
const CONTROLLED = { status: 422, problem: "service-controlled-entity", body: { title: "Service Controlled Entity" } };

export const CHARGER_MORE_ROWS: readonly Row[] = [
  says("An unknown charger is not found", { request: { ask: "GET /chargers/{unknown}" }, expect: NOT_FOUND }),
  says("An unknown charger cannot be commanded", {
    request: { ask: "POST /chargers/{unknown}/charging", body: { action: "START" } },
    expect: NOT_FOUND,
  }),
  says("A charge command without an action is refused", {
    request: { ask: CHARGING, body: {} },
    expect: { status: 400, body: { issues: [{ in: "body", path: ["action"] }] } },
  }),
  says("A charger without a car is not started: 400, and no action", {
    versions: BOTH,
    given: [{ device: "charger", show: { "charger.state": "UNPLUGGED" }, after: 5 }],
    request: { ask: CHARGING, body: { action: "START" } },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("A charger under a schedule is not commanded by hand", {
    versions: ["2024-10-01", "2024-01-01"],
    given: [SCHEDULED, { device: "charger", after: 5 }],
    request: { ask: CHARGING, body: { action: "START" } },
    expect: CONTROLLED,
  }),
  says("A maximum current that is no number is refused", {
    request: { ask: `POST ${ONE}/max-current`, body: { maxCurrent: "10" } },
    expect: { status: 400, body: { issues: [{ in: "body", path: ["maxCurrent"] }] } },
  }),
  says("A maximum current is set when the charger shows it", {
    versions: BOTH,
    given: [{ ask: `POST ${ONE}/max-current`, body: { maxCurrent: 10 }, keep: { action: "id" } }],
    request: { ask: "GET /chargers/actions/{action}", after: 30 },
    expect: { status: 200, body: { state: "CONFIRMED", targetState: { maxCurrent: 10 } } },
    afterwards: [{ ask: `GET ${ONE}`, expect: { status: 200, body: { chargeState: { maxCurrent: 10 } } } }],
  }),
  says("A hint to read the charger soon is taken from 2023-08-01", {
    versions: USERS_IN_PATHS,
    request: { ask: `POST ${ONE}/refresh-hint` },
    expect: { status: 204, isEmpty: true },
  }),
  says("A hint for an unknown charger is 404 with an empty body", {
    versions: USERS_IN_PATHS,
    request: { ask: "POST /chargers/{unknown}/refresh-hint" },
    expect: { status: 404, isEmpty: true },
  }),
  says("A charger is put at a location, and taken from it", {
    versions: NEWEST,
    given: [PLACED, { ask: `PUT ${ONE}`, body: { locationId: "{location}" } }],
    request: { ask: `PUT ${ONE}`, body: { locationId: null } },
    expect: { status: 200, body: { locationId: null } },
  }),
  says("An external start charges and answers the override", {
    versions: BOTH,
    request: { ask: `POST ${ONE}/external-start` },
    expect: { status: 200, exactly: RECORD },
    afterwards: [
      { ask: `GET ${ONE}`, after: 30, expect: { status: 200, body: { chargeState: { isCharging: true } } } },
    ],
  }),
  says("An external start puts an active schedule into an overridden state", {
    versions: NEWEST,
    given: [SCHEDULED, { ask: `POST ${ONE}/external-start` }],
    request: { ask: "GET /schedules/{schedule}/status", after: 30 },
    expect: { status: 200, body: { state: "INACTIVE:OVERRIDDEN", isCharging: true } },
  }),
  says("Ending an external start answers the override with its end", {
    versions: BOTH,
    given: [{ ask: `POST ${ONE}/external-start` }],
    request: { ask: `DELETE ${ONE}/external-start` },
    expect: { status: 200, exactly: { ...RECORD, endedAt: INSTANT } },
  }),
  says("An external start that there is not cannot be ended", {
    request: { ask: `DELETE ${ONE}/external-start` },
    expect: NO_OVERRIDE,
  }),
  says("An unknown charger has no external start", {
    request: { ask: "DELETE /chargers/{unknown}/external-start" },
    expect: NOT_FOUND,
  }),
  says("The smart charging policy is off at first", {
    request: { ask: `GET ${POLICY}` },
    expect: { status: 200, body: { isEnabled: false } },
  }),
  says("The policy is changed bit by bit", {
    versions: BOTH,
    given: [{ ask: `PUT ${POLICY}`, body: { deadline: "07:00" } }],
    request: { ask: `PUT ${POLICY}`, body: { chargingDuration: "03:00" } },
    expect: { status: 200, exactly: { isEnabled: false, deadline: "07:00", chargingDuration: "03:00" } },
  }),
  ...["deadline", "chargingDuration"].map((field) =>
    says(`A ${field} that is no time is refused`, {
      request: { ask: `PUT ${POLICY}`, body: { [field]: "7:00" } },
      expect: { status: 400, body: { issues: [{ in: "body", path: [field] }] } },
    }),
  ),
  says("The deadline is in the time zone of the location", {
    versions: NEWEST,
    given: [
      PLACED,
      { ask: `PUT ${ONE}`, body: { locationId: "{location}" } },
      { ask: `PUT ${POLICY}`, body: { isEnabled: true, deadline: "08:00", chargingDuration: "01:00" } },
    ],
    request: { ask: `GET ${ONE}/smart-charging-status`, after: 30 },
    // 08:00 in Berlin's summer is 06:00 UTC.
    expect: {
      status: 200,
      body: { chargingIntervals: [{ status: "PLANNED", endTime: "2026-06-21T06:00:00.000Z" }] },
    },
  }),
  says("Without a location the deadline is in UTC", {
    versions: NEWEST,
    given: [{ ask: `PUT ${POLICY}`, body: { isEnabled: true, deadline: "08:00", chargingDuration: "01:00" } }],
    request: { ask: `GET ${ONE}/smart-charging-status`, after: 30 },
    expect: {
      status: 200,
      body: { chargingIntervals: [{ status: "PLANNED", endTime: "2026-06-21T08:00:00.000Z" }] },
    },
  }),
  says("Before 2023-08-01 a charger is put at a charging location", {
    versions: USER_IN_HEADER,
    request: { ask: `PUT ${ONE}`, body: { chargingLocationId: null } },
    expect: { status: 200, body: { id: "{charger}", chargingLocationId: null } },
  }),
  says("An unknown charger has no policy and no status", {
    request: { ask: "GET /chargers/{unknown}/smart-charging-policy" },
    expect: NOT_FOUND,
    afterwards: [{ ask: "GET /chargers/{unknown}/smart-charging-status", expect: NOT_FOUND }],
  }),
  says("Actions of a charger are not those of a battery", {
    versions: NEWEST,
    given: [{ ask: CHARGING, body: { action: "START" }, keep: { action: "id" } }],
    request: { ask: "GET /batteries/actions/{action}" },
    expect: { status: 404, isEmpty: true },
    afterwards: [
      { ask: "GET /chargers/actions/{action}", expect: { status: 200, body: { id: "{action}", kind: "START" } } },
      { ask: "POST /hvacs/actions/{action}/cancel", expect: { status: 404, isEmpty: true } },
    ],
  }),
];
