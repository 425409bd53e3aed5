/** Rule I3.1: what becomes of an action. */
import { expect } from "vitest";
import type { Ask, Row } from "../row.ts";
import { about, INSTANT, LISTENING, NEWEST } from "../words.ts";

const says = about("I3.1");

/** A kind of target with a command on it, and how long its actions wait. */
interface Commanded {
  readonly kind: "battery" | "charger" | "hvac" | "vehicle";
  readonly plural: string;
  readonly command: Ask;
  readonly windowSeconds: number;
}

const BATTERY: Commanded = {
  kind: "battery",
  plural: "batteries",
  command: {
    ask: "POST /batteries/{battery}/operation-mode",
    body: { operationMode: "IMPORT_FOCUS" },
    keep: { action: "id" },
  },
  windowSeconds: 600,
};
const CHARGER: Commanded = {
  kind: "charger",
  plural: "chargers",
  command: { ask: "POST /chargers/{charger}/charging", body: { action: "START" }, keep: { action: "id" } },
  windowSeconds: 300,
};
const HVAC: Commanded = {
  kind: "hvac",
  plural: "hvacs",
  command: {
    ask: "POST /hvacs/{hvac}/permanent-hold",
    body: { mode: "HEAT", heatSetpoint: 22 },
    keep: { action: "id" },
  },
  windowSeconds: 600,
};
const VEHICLE: Commanded = {
  kind: "vehicle",
  plural: "vehicles",
  command: { ask: "POST /vehicles/{vehicle}/charging", body: { action: "START" }, keep: { action: "id" } },
  windowSeconds: 300,
};
const ALL = [BATTERY, CHARGER, HVAC, VEHICLE];

function read({ plural }: Commanded): string {
  return `GET /${plural}/actions/{action}`;
}

function updated(state: string, more: object = {}): { told: object } {
  return { told: { event: "user:vendor-action:updated", vendorAction: { id: "{action}", state, ...more } } };
}

export const ACTION_TRANSITION_ROWS: readonly Row[] = [
  ...ALL.flatMap((target) => {
    const { kind, plural, command, windowSeconds } = target;
    return [
      says(`A command to a ${kind} is PENDING, and the call returns before the device has it`, {
        versions: NEWEST,
        given: [LISTENING, { device: kind, ignoresCommands: true }],
        request: command,
        expect: { status: 200, body: { state: "PENDING", completedAt: null, targetType: kind } },
        afterwards: [
          { ask: read(target), after: 20, expect: { status: 200, body: { state: "PENDING", completedAt: null } } },
          updated("PENDING"),
        ],
      }),
      says(`A ${kind} that shows what was asked for confirms the action`, {
        versions: NEWEST,
        given: [LISTENING, command],
        request: { ask: read(target), after: 40 },
        expect: { status: 200, body: { state: "CONFIRMED", completedAt: INSTANT, failureReason: null } },
        afterwards: [{ ...updated("CONFIRMED", { targetType: kind }), after: 5 }],
      }),
      says(`A ${kind} that takes commands and does nothing fails the action at the end of the window`, {
        versions: NEWEST,
        given: [LISTENING, { device: kind, ignoresCommands: true }, command],
        request: { ask: read(target), after: windowSeconds - 10 },
        expect: { status: 200, body: { state: "PENDING" } },
        afterwards: [
          {
            ask: read(target),
            after: 15,
            expect: {
              status: 200,
              body: {
                state: "FAILED",
                completedAt: INSTANT,
                failureReason: { type: "NO_RESPONSE", detail: expect.stringMatching(/\w/) },
              },
            },
          },
          { ...updated("FAILED", { failureReason: { type: "NO_RESPONSE" } }), after: 5 },
        ],
      }),
      says(`A ${kind} that is not reached all the time cancels the action at the end of the window`, {
        versions: NEWEST,
        given: [LISTENING, { device: kind, isUp: false }, command],
        request: { ask: read(target), after: windowSeconds + 5 },
        expect: {
          status: 200,
          body: { state: "CANCELLED", completedAt: INSTANT, failureReason: { type: "FAILED_PRECONDITION" } },
        },
        afterwards: [{ ...updated("CANCELLED", { failureReason: { type: "FAILED_PRECONDITION" } }), after: 5 }],
      }),
      says(`A pending action on a ${kind} is cancelled on request, with an event`, {
        versions: NEWEST,
        given: [LISTENING, { device: kind, ignoresCommands: true }, command],
        request: { ask: `POST /${plural}/actions/{action}/cancel` },
        expect: { status: 200, body: { state: "CANCELLED", completedAt: INSTANT } },
        afterwards: [{ ...updated("CANCELLED"), after: 5 }],
      }),
      says(`An action on a ${kind} that has ended stays as it is, and 409 answers it`, {
        versions: NEWEST,
        given: [command],
        request: { ask: `POST /${plural}/actions/{action}/cancel`, after: 60 },
        expect: {
          status: 409,
          body: { id: "{action}", state: "CONFIRMED" },
          headers: { "content-type": expect.stringMatching(/^application\/json/) },
        },
        afterwards: [{ ask: read(target), expect: { status: 200, body: { state: "CONFIRMED" } } }],
      }),
    ];
  }),
  ...[
    { target: CHARGER, show: { "charger.state": "UNPLUGGED" } },
    { target: VEHICLE, show: { "vehicle.state": "UNPLUGGED" } },
  ].map(({ target, show }) =>
    says(`A ${target.kind} that is unplugged for the rest of the window cancels the action`, {
      versions: NEWEST,
      given: [
        { device: target.kind, ignoresCommands: true },
        target.command,
        { device: target.kind, after: 60 },
        { device: target.kind, show, after: 5 },
      ],
      request: { ask: read(target), after: target.windowSeconds },
      expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "FAILED_PRECONDITION" } } },
    }),
  ),
  ...[
    { target: CHARGER, show: { "charger.state": "UNPLUGGED" } },
    { target: VEHICLE, show: { "vehicle.state": "UNPLUGGED" } },
  ].map(({ target, show }) =>
    says(`A ${target.kind} that is found unplugged cancels the action at the end of the window`, {
      versions: NEWEST,
      given: [
        { device: target.kind, isUp: false, after: 120 },
        target.command,
        { device: target.kind, show, isUp: true, after: 5 },
      ],
      request: { ask: read(target), after: target.windowSeconds + 5 },
      expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "FAILED_PRECONDITION" } } },
    }),
  ),
  ...[
    {
      target: BATTERY,
      same: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: "SELF_RELIANCE" } },
    },
    { target: HVAC, same: { ask: "POST /hvacs/{hvac}/follow-schedule" } },
  ].map(({ target, same }) =>
    says(`A ${target.kind} that is already so cancels the action as unnecessary`, {
      versions: NEWEST,
      given: [{ ...same, keep: { action: "id" } }],
      request: { ask: read(target), after: 40 },
      expect: {
        status: 200,
        body: { state: "CANCELLED", completedAt: INSTANT, failureReason: { type: "UNNECESSARY" } },
      },
    }),
  ),
  ...[
    { target: BATTERY, other: { ...BATTERY.command, body: { operationMode: "EXPORT_FOCUS" } } },
    { target: CHARGER, other: { ask: "POST /chargers/{charger}/max-current", body: { maxCurrent: 10 } } },
    { target: HVAC, other: { ...HVAC.command, body: { mode: "OFF" } } },
    { target: VEHICLE, other: { ask: "POST /vehicles/{vehicle}/max-current", body: { maxCurrent: 10 } } },
  ].map(({ target, other }) =>
    says(`A newer action on a ${target.kind} cancels the pending one: one at a time`, {
      versions: NEWEST,
      given: [LISTENING, { device: target.kind, ignoresCommands: true }, target.command],
      request: { ...other, keep: {} },
      expect: { status: 200, body: { state: "PENDING" } },
      afterwards: [
        {
          ask: read(target),
          expect: {
            status: 200,
            body: { state: "CANCELLED", completedAt: INSTANT, failureReason: { type: "CONFLICT" } },
          },
        },
        { ...updated("CANCELLED", { failureReason: { type: "CONFLICT" } }), after: 5 },
      ],
    }),
  ),
  says("An action of a schedule that no longer wants it is cancelled by its owner", {
    versions: NEWEST,
    given: [
      LISTENING,
      { device: "charger", ignoresCommands: true },
      {
        ask: "POST /users/{user}/schedules",
        body: {
          targetId: "{charger}",
          targetType: "charger",
          locationId: null,
          isEnabled: true,
          defaultShouldCharge: true,
          rules: [],
        },
        keep: { schedule: "id" },
      },
      { device: "charger", after: 30 },
    ],
    request: { ask: "PUT /schedules/{schedule}", body: { isEnabled: false } },
    expect: { status: 200 },
    afterwards: [
      {
        told: {
          event: "user:vendor-action:updated",
          vendorAction: { state: "CANCELLED", failureReason: { type: "REQUESTED_CANCELLATION" } },
        },
        after: 10,
      },
    ],
  }),
  says("A device that is deleted cancels its pending action", {
    versions: NEWEST,
    given: [LISTENING, { device: "charger", ignoresCommands: true }, CHARGER.command],
    request: { ask: "DELETE /users/{user}/vendors/KEBA" },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ...updated("CANCELLED", { failureReason: { type: "NOT_FOUND" } }), after: 10 }],
  }),
  says("An action that has ended is sent no more", {
    versions: NEWEST,
    given: [
      { device: "battery", ignoresCommands: true },
      BATTERY.command,
      { ask: "POST /batteries/actions/{action}/cancel" },
      { device: "battery", show: { "battery.mode": "IMPORT_FOCUS" } },
    ],
    request: { ask: "GET /batteries/{battery}", after: 60 },
    expect: { status: 200, body: { config: { operationMode: "IMPORT_FOCUS" } } },
  }),
];
