/** Rule I4.2. */
import { expect } from "vitest";
import type { Row } from "../row.ts";

const MODE = { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "IMPORT_FOCUS" } };
const KEPT = { ...MODE, keep: { action: "id" } };

function says(statement: string, row: Omit<Row, "part" | "statement">): Row {
  return { part: "I4.2", statement, ...row };
}

export const BATTERY_ROWS: readonly Row[] = [
  says("Batteries are listed in pages", {
    request: { ask: "GET /batteries" },
    expect: { status: 200, body: { data: [{ id: "{battery}" }], pagination: { after: null, before: null } } },
  }),
  says("One battery is read by its id", {
    request: { ask: "GET /batteries/{battery}" },
    expect: { status: 200, body: { id: "{battery}", vendor: "SOLAREDGE", config: { operationMode: "SELF_RELIANCE" } } },
  }),
  says("Charge state is in percent, kWh and kW, positive into the battery", {
    request: { ask: "GET /batteries/{battery}" },
    expect: {
      status: 200,
      body: { chargeState: { batteryLevel: 55.5, batteryCapacity: 10.24, chargeRate: -1.234, dischargeLimit: 10 } },
    },
  }),
  says("An unknown battery is not found", {
    request: { ask: "GET /batteries/{unknown}" },
    expect: { status: 404, problem: "not-found" },
  }),
  says("An id that is no uuid is not found either", {
    request: { ask: "GET /batteries/nonsense" },
    expect: { status: 404, problem: "not-found" },
  }),
  says("Setting the mode answers a pending action at once", {
    request: MODE,
    expect: {
      status: 200,
      body: {
        state: "PENDING",
        targetType: "battery",
        targetId: "{battery}",
        userId: "{user}",
        targetState: { operationMode: "IMPORT_FOCUS" },
        completedAt: null,
        failureReason: null,
      },
    },
  }),
  says("The action is confirmed when the battery shows the mode", {
    given: [KEPT],
    request: { ask: "GET /batteries/actions/{action}", after: 30 },
    expect: { status: 200, body: { state: "CONFIRMED", completedAt: expect.any(String), failureReason: null } },
    afterwards: [
      { ask: "GET /batteries/{battery}", expect: { status: 200, body: { config: { operationMode: "IMPORT_FOCUS" } } } },
    ],
  }),
  says("From 2024-10-01 a battery can be made idle", {
    versions: { from: "2024-10-01" },
    given: [{ ...MODE, body: { operationMode: "IDLE" } }],
    request: { ask: "GET /batteries/{battery}", after: 30 },
    expect: { status: 200, body: { config: { operationMode: "IDLE" } } },
  }),
  says("Before 2024-10-01 there is no mode IDLE to ask for", {
    versions: { before: "2024-10-01" },
    request: { ...MODE, body: { operationMode: "IDLE" } },
    expect: {
      status: 400,
      problem: "payload-validation-error",
      body: { issues: [{ code: "invalid_enum", path: ["operationMode"], in: "body" }] },
    },
  }),
  says("Before 2024-10-01 an idle battery's mode is UNKNOWN, and so is that of the action that made it idle", {
    versions: { before: "2024-10-01" },
    given: [{ ...KEPT, body: { operationMode: "IDLE" }, version: "2024-10-01" }],
    request: { ask: "GET /batteries/{battery}", after: 30 },
    expect: { status: 200, body: { config: { operationMode: "UNKNOWN" } } },
    afterwards: [
      {
        ask: "GET /batteries/actions/{action}",
        expect: { status: 200, body: { state: "CONFIRMED", targetState: { operationMode: "UNKNOWN" } } },
      },
    ],
  }),
  says("A mode that can only be reported cannot be requested", {
    request: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "UNKNOWN" } },
    expect: { status: 400 },
  }),
  says("A mode that the battery does not have is refused without an action", {
    request: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "TIME_OF_USE" } },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("A key that the body does not have is refused", {
    request: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "IMPORT_FOCUS", now: true } },
    expect: { status: 400, body: { issues: [{ code: "unrecognized_keys", in: "body" }] } },
  }),
  says("A new action cancels the pending one for another mode", {
    given: [KEPT],
    request: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "EXPORT_FOCUS" } },
    expect: { status: 200, body: { state: "PENDING", targetState: { operationMode: "EXPORT_FOCUS" } } },
    afterwards: [
      {
        ask: "GET /batteries/actions/{action}",
        expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "CONFLICT" } } },
      },
    ],
  }),
  says("A pending action is cancelled on request", {
    given: [KEPT],
    request: { ask: "POST /batteries/actions/{action}/cancel" },
    expect: {
      status: 200,
      body: { id: "{action}", state: "CANCELLED", failureReason: { type: "REQUESTED_CANCELLATION" } },
    },
  }),
  says("An action that has ended answers a cancellation with 409 and itself", {
    given: [KEPT, { ask: "POST /batteries/actions/{action}/cancel" }],
    request: { ask: "POST /batteries/actions/{action}/cancel" },
    expect: { status: 409, body: { id: "{action}", state: "CANCELLED" } },
  }),
  says("An unknown action is 404 with an empty body", {
    request: { ask: "GET /batteries/actions/{unknown}" },
    expect: { status: 404, isEmpty: true },
  }),
  says("Cancelling an unknown action is 404 with an empty body", {
    request: { ask: "POST /batteries/actions/{unknown}/cancel" },
    expect: { status: 404, isEmpty: true },
  }),
  says("A hint to read the battery soon is taken", {
    versions: { from: "2023-08-01" },
    request: { ask: "POST /batteries/{battery}/refresh-hint" },
    expect: { status: 204, isEmpty: true },
  }),
  says("A hint for an unknown battery is 404 with an empty body", {
    versions: { from: "2023-08-01" },
    request: { ask: "POST /batteries/{unknown}/refresh-hint" },
    expect: { status: 404, isEmpty: true },
  }),
  says("A user's batteries have a list of their own", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /users/{user}/batteries" },
    expect: { status: 200, body: { data: [{ id: "{battery}", userId: "{user}" }] } },
  }),
  says("The list of an unknown user says that there is no such user", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /users/nobody/batteries" },
    expect: { status: 404, problem: "not-found", body: { title: "User does not exist" } },
  }),
];
