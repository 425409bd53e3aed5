/** Rule S2.5: smart charging of chargers. */
import { CHARGER_AT_HOME, LOCATION } from "../given.ts";
import type { Row } from "../row.ts";
import { FIRST_AND_LAST, NEWEST, says } from "../says.ts";

const row = says("S2.5");
const POLICY = "/chargers/{charger}/smart-charging-policy";
const STATUS = "/chargers/{charger}/smart-charging-status";
const ON = { isEnabled: true, deadline: "08:00", chargingDuration: "03:00" };
const SWITCHED_ON = { ask: `PUT ${POLICY}`, body: ON };
const RUNNING = [...CHARGER_AT_HOME, SWITCHED_ON];

function state(state: string): { readonly status: number; readonly body: object } {
  return { status: 200, body: { chargerId: "{charger}", userId: "{user}", state } };
}

export const CHARGER_SMART_ROWS: readonly Row[] = [
  row("A charger's policy is off at first", {
    request: { ask: `GET ${POLICY}` },
    expect: { status: 200, body: { isEnabled: false } },
  }),
  row("A charger's policy is changed bit by bit", {
    versions: FIRST_AND_LAST,
    given: [{ ask: `PUT ${POLICY}`, body: { deadline: "08:00" } }],
    request: { ask: `PUT ${POLICY}`, body: { chargingDuration: "03:00" } },
    expect: { status: 200, exactly: { isEnabled: false, deadline: "08:00", chargingDuration: "03:00" } },
  }),
  ...["deadline", "chargingDuration"].map((field) =>
    row(`A charger's ${field} that is no time is refused`, {
      request: { ask: `PUT ${POLICY}`, body: { [field]: "8:00" } },
      expect: { status: 400, body: { issues: [{ path: [field], in: "body" }] } },
    }),
  ),
  row("The policy of an unknown charger is not found", {
    request: { ask: "GET /chargers/{unknown}/smart-charging-policy" },
    expect: { status: 404, problem: "not-found" },
  }),
  row("A charger without the control scope takes no policy", {
    versions: NEWEST,
    house: "readOnly",
    request: SWITCHED_ON,
    expect: { status: 403, problem: "forbidden" },
  }),
  row("A charger without a policy is DISABLED", {
    request: { ask: `GET ${STATUS}` },
    expect: {
      status: 200,
      exactly: { chargerId: "{charger}", userId: "{user}", state: "DISABLED", chargingIntervals: [] },
    },
  }),
  row("A policy without a duration is DISABLED", {
    versions: NEWEST,
    given: [...CHARGER_AT_HOME, { ask: `PUT ${POLICY}`, body: { isEnabled: true, deadline: "08:00" } }],
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: state("DISABLED"),
  }),
  row("A charger that is not reached says so", {
    versions: NEWEST,
    given: [...RUNNING, { device: "charger", isUp: false, after: 240 }],
    request: { ask: `GET ${STATUS}` },
    expect: state("CHARGER_NOT_REACHABLE"),
  }),
  row("A charger without a vehicle says so", {
    versions: NEWEST,
    given: [...RUNNING, { device: "charger", show: { "charger.state": "UNPLUGGED" }, after: 30 }],
    request: { ask: `GET ${STATUS}` },
    expect: state("VEHICLE_NOT_PLUGGED_IN"),
  }),
  row("A charger without prices awaits them", {
    versions: NEWEST,
    given: [LOCATION, { ask: "PUT /chargers/{charger}", body: { locationId: "{location}" } }, SWITCHED_ON],
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: state("AWAITING_PRICES"),
  }),
  row("A charger is paused until the cheapest hours before the deadline", {
    versions: FIRST_AND_LAST,
    given: RUNNING,
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: {
      status: 200,
      body: {
        state: "CHARGING_PAUSED",
        chargingIntervals: [
          { status: "PLANNED", startTime: "2026-06-21T03:00:00.000Z", endTime: "2026-06-21T06:00:00.000Z" },
        ],
      },
    },
    afterwards: [
      { ask: "GET /chargers/{charger}", expect: { status: 200, body: { chargeState: { isCharging: false } } } },
    ],
  }),
  row("A charger charges inside a chosen interval", {
    versions: NEWEST,
    given: [
      ...CHARGER_AT_HOME,
      { ask: `PUT ${POLICY}`, body: { isEnabled: true, deadline: "08:00", chargingDuration: "08:00" } },
    ],
    request: { ask: `GET ${STATUS}`, after: 60 },
    expect: { status: 200, body: { state: "CHARGING", chargingIntervals: [{ status: "IN_PROGRESS" }] } },
    afterwards: [
      { ask: "GET /chargers/{charger}", expect: { status: 200, body: { chargeState: { isCharging: true } } } },
    ],
  }),
  row("A command to a charger under its policy is refused", {
    versions: NEWEST,
    given: [...RUNNING, { ask: `GET ${STATUS}`, after: 60 }],
    request: { ask: "POST /chargers/{charger}/charging", body: { action: "START" } },
    expect: { status: 422, problem: "service-controlled-entity" },
  }),
  row("A policy that is switched off sends nothing", {
    versions: NEWEST,
    given: [...RUNNING, { ask: `GET ${STATUS}`, after: 60 }],
    request: { ask: `PUT ${POLICY}`, body: { isEnabled: false } },
    expect: { status: 200, body: { isEnabled: false } },
    afterwards: [
      { ask: `GET ${STATUS}`, after: 30, expect: { status: 200, body: { state: "DISABLED", chargingIntervals: [] } } },
      { ask: "GET /chargers/{charger}", expect: { status: 200, body: { chargeState: { isCharging: false } } } },
    ],
  }),
];
