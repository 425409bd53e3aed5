/** Rules I4.4, S2.1 and S2.2. */
import type { Row } from "../row.ts";

function says(statement: string, row: Omit<Row, "part" | "statement">): Row {
  return { part: "I4.4", statement, ...row };
}

const CHARGING = "POST /chargers/{charger}/charging";
const START = { ask: CHARGING, body: { action: "START" } };
const KEPT = { ...START, keep: { action: "id" } };

export const CHARGER_ROWS: readonly Row[] = [
  says("Chargers are listed in pages from 2023-08-01", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /chargers" },
    expect: { status: 200, body: { data: [{ id: "{charger}" }], pagination: { after: null, before: null } } },
  }),
  says("Chargers were a list of ids before 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /chargers" },
    expect: { status: 200, exactly: ["{charger}"] },
  }),
  says("A read may name fields to be read from the device before 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /chargers/{charger}?field[]=information&field[]=chargeState" },
    expect: { status: 200, body: { id: "{charger}", chargingLocationId: null }, lacks: ["locationId"] },
  }),
  says("A field that chargers do not have cannot be read from the device", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /chargers/{charger}?field[]=odometer" },
    expect: { status: 400, problem: "validation-error" },
  }),
  says("A charger names its location in one place from 2024-10-01, and at the top before", {
    versions: { before: "2024-10-01", from: "2023-08-01" },
    request: { ask: "GET /chargers/{charger}" },
    expect: { status: 200, body: { locationId: null }, lacks: ["location", "information.serialNumber"] },
  }),
  says("Starting to charge answers a pending action", {
    request: START,
    expect: {
      status: 200,
      body: { state: "PENDING", kind: "START", targetType: "charger", targetId: "{charger}", failureReason: null },
      lacks: ["targetState"],
    },
  }),
  says("An identical action that is pending is answered again", {
    given: [KEPT],
    request: START,
    expect: { status: 200, body: { id: "{action}", state: "PENDING" } },
  }),
  says("The opposite action cancels the pending one", {
    given: [KEPT],
    request: { ask: "POST /chargers/{charger}/max-current", body: { maxCurrent: 10 } },
    expect: { status: 200, body: { state: "PENDING", targetState: { maxCurrent: 10 } }, lacks: ["kind"] },
    afterwards: [
      {
        ask: "GET /chargers/actions/{action}",
        expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "CONFLICT" } } },
      },
    ],
  }),
  says("Charging is confirmed when the charger shows it", {
    given: [KEPT],
    request: { ask: "GET /chargers/actions/{action}", after: 60 },
    expect: { status: 200, body: { state: "CONFIRMED" } },
    afterwards: [
      {
        ask: "GET /chargers/{charger}",
        expect: {
          status: 200,
          body: { chargeState: { isCharging: true, chargeRate: 7.4, powerDeliveryState: "PLUGGED_IN:CHARGING" } },
        },
      },
    ],
  }),
  says("Stopping what does not charge is refused", {
    request: { ask: CHARGING, body: { action: "STOP" } },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("A current of nothing is refused", {
    request: { ask: "POST /chargers/{charger}/max-current", body: { maxCurrent: 0 } },
    expect: { status: 400 },
  }),
  says("A current beyond what the charger takes is refused", {
    request: { ask: "POST /chargers/{charger}/max-current", body: { maxCurrent: 100 } },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("A charger's action is cancelled on request", {
    given: [KEPT],
    request: { ask: "POST /chargers/actions/{action}/cancel" },
    expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "REQUESTED_CANCELLATION" } } },
  }),
  says("An unknown action on a charger is 404 with an empty body", {
    request: { ask: "GET /chargers/actions/{unknown}" },
    expect: { status: 404, isEmpty: true },
  }),
  says("Hints to read a device are from 2023-08-01", {
    versions: { before: "2023-08-01" },
    request: { ask: "POST /chargers/{charger}/refresh-hint" },
    expect: { status: 404, problem: "not-found" },
  }),
];
