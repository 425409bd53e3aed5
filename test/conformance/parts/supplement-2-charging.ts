/** Rules S2.1, S2.2 and S2.8: charging of vehicles and chargers. */
import { expect } from "vitest";
import type { Happening, Row } from "../row.ts";
import { FIRST_AND_LAST, NEWEST, says } from "../says.ts";

const charge = says("S2.1");
const control = says("S2.2");
const timing = says("S2.8");

export const DEVICES = [
  { kind: "vehicle", path: "/vehicles/{vehicle}", actions: "/vehicles/actions", list: "/vehicles" },
  { kind: "charger", path: "/chargers/{charger}", actions: "/chargers/actions", list: "/chargers" },
] as const;
type Kind = (typeof DEVICES)[number]["kind"];

const START = { action: "START" };
const STOP = { action: "STOP" };

/** What the device says of its plug and power. */
export function showing(kind: Kind, state: string): Happening {
  return { device: kind, show: { [`${kind}.state`]: state } as Happening["show"] & {}, after: 5 };
}

export const CHARGING_ROWS: readonly Row[] = DEVICES.flatMap(({ kind, path, actions, list }) => {
  const charging = `POST ${path}/charging`;
  const started = { ask: charging, body: START, keep: { action: "id" } };
  return [
    charge(`START on a ${kind} answers a whole charge action`, {
      request: { ask: charging, body: START },
      expect: {
        status: 200,
        body: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          userId: "{user}",
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
          completedAt: null,
          state: "PENDING",
          targetId: `{${kind}}`,
          targetType: kind,
          kind: "START",
        },
        lacks: ["targetState", "target"],
      },
    }),
    charge(`START on a ${kind} is confirmed when it charges`, {
      versions: FIRST_AND_LAST,
      given: [started],
      request: { ask: `GET ${actions}/{action}`, after: 30 },
      expect: { status: 200, body: { state: "CONFIRMED", completedAt: expect.any(String) } },
      afterwards: [
        {
          ask: `GET ${path}`,
          expect: {
            status: 200,
            body: { chargeState: { isCharging: true, powerDeliveryState: "PLUGGED_IN:CHARGING" } },
          },
        },
      ],
    }),
    charge(`STOP on a ${kind} is confirmed when it stopped`, {
      versions: FIRST_AND_LAST,
      given: [started, { ask: charging, body: STOP, after: 30, keep: { stop: "id" } }],
      request: { ask: `GET ${actions}/{stop}`, after: 30 },
      expect: { status: 200, body: { kind: "STOP", state: "CONFIRMED", failureReason: null } },
    }),
    charge(`STOP on a ${kind} that is stopped is refused with those words`, {
      request: { ask: charging, body: STOP },
      expect: { status: 400, problem: "bad-request", body: { detail: expect.stringMatching(/already stopped/) } },
    }),
    charge(`START on a ${kind} that charges is refused with those words`, {
      versions: FIRST_AND_LAST,
      given: [started],
      request: { ask: charging, body: START, after: 30 },
      expect: {
        status: 400,
        problem: "bad-request",
        body: { detail: expect.stringMatching(/already (charging|started)/) },
      },
    }),
    charge(`START on a ${kind} that is unplugged is refused without an action`, {
      versions: FIRST_AND_LAST,
      given: [showing(kind, "UNPLUGGED")],
      request: { ask: charging, body: START },
      expect: { status: 400, problem: "bad-request" },
    }),
    charge(`A second START while the first is pending is the same action of the ${kind}`, {
      versions: FIRST_AND_LAST,
      given: [started],
      request: { ask: charging, body: START },
      expect: { status: 200, body: { id: "{action}", state: "PENDING" } },
    }),
    charge(`STOP while START is pending cancels that action of the ${kind}`, {
      versions: FIRST_AND_LAST,
      given: [{ device: kind, ignoresCommands: true }, started],
      request: { ask: charging, body: STOP },
      expect: { status: 200, body: { kind: "STOP" } },
      afterwards: [
        {
          ask: `GET ${actions}/{action}`,
          expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "CONFLICT" } } },
        },
      ],
    }),
    charge(`A charge command with another word is refused on a ${kind}`, {
      request: { ask: charging, body: { action: "PAUSE" } },
      expect: { status: 400, body: { issues: [{ code: "invalid_enum", path: ["action"], in: "body" }] } },
    }),
    charge(`A charge command with an unknown key is refused on a ${kind}`, {
      request: { ask: charging, body: { action: "START", now: true } },
      expect: { status: 400, body: { issues: [{ code: "unrecognized_keys", in: "body" }] } },
    }),
    charge(`A charge command to an unknown ${kind} is a problem`, {
      request: { ask: `POST ${list}/{unknown}/charging`, body: START },
      expect: { status: 404, problem: "not-found" },
    }),
    ...(["charging", "max-current"] as const).map((command) =>
      charge(`${command} on a ${kind} without the control scope is forbidden`, {
        house: "readOnly",
        request: { ask: `POST ${path}/${command}`, body: command === "charging" ? START : { maxCurrent: 10 } },
        expect: {
          status: 403,
          problem: "forbidden",
          body: { detail: expect.stringContaining(`${kind}:control:charging`) },
        },
      }),
    ),
    control(`A new maximum current of a ${kind} is an action with it as target state, and no kind`, {
      request: { ask: `POST ${path}/max-current`, body: { maxCurrent: 10 } },
      expect: {
        status: 200,
        body: { state: "PENDING", targetType: kind, targetId: `{${kind}}`, targetState: { maxCurrent: 10 } },
        lacks: ["kind"],
      },
    }),
    control(`A new maximum current of a ${kind} is confirmed when it shows`, {
      versions: FIRST_AND_LAST,
      given: [{ ask: `POST ${path}/max-current`, body: { maxCurrent: 10 }, keep: { action: "id" } }],
      request: { ask: `GET ${actions}/{action}`, after: 30 },
      expect: { status: 200, body: { state: "CONFIRMED" } },
      afterwards: [{ ask: `GET ${path}`, expect: { status: 200, body: { chargeState: { maxCurrent: 10 } } } }],
    }),
    control(`The maximum current that a ${kind} has already is refused with those words`, {
      request: { ask: `POST ${path}/max-current`, body: { maxCurrent: 16 } },
      expect: {
        status: 400,
        problem: "bad-request",
        body: { detail: expect.stringContaining("already at the current setting") },
      },
    }),
    ...[0, -6, "ten"].map((maxCurrent) =>
      control(`A maximum current of ${maxCurrent} is refused by a ${kind}`, {
        request: { ask: `POST ${path}/max-current`, body: { maxCurrent } },
        expect: { status: 400, body: { issues: [{ path: ["maxCurrent"], in: "body" }] } },
      }),
    ),
    control(`A maximum current that a ${kind} does not reach is refused`, {
      request: { ask: `POST ${path}/max-current`, body: { maxCurrent: 1_000 } },
      expect: { status: 400, problem: "bad-request" },
    }),
    timing(`A command that a ${kind} does not heed fails after five minutes`, {
      versions: NEWEST,
      given: [{ device: kind, ignoresCommands: true }, started],
      request: { ask: `GET ${actions}/{action}`, after: 290 },
      expect: { status: 200, body: { state: "PENDING" } },
      afterwards: [
        {
          ask: `GET ${actions}/{action}`,
          after: 15,
          expect: {
            status: 200,
            body: { state: "FAILED", failureReason: { type: "NO_RESPONSE", detail: expect.any(String) } },
          },
        },
      ],
    }),
    timing(`A ${kind} that is not reached in the whole window cancels its action`, {
      versions: NEWEST,
      given: [{ device: kind, isUp: false, after: 5 }, started],
      request: { ask: `GET ${actions}/{action}`, after: 310 },
      expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "FAILED_PRECONDITION" } } },
    }),
    control(`An action of a ${kind} is cancelled on request`, {
      versions: FIRST_AND_LAST,
      given: [started],
      request: { ask: `POST ${actions}/{action}/cancel` },
      expect: {
        status: 200,
        body: { id: "{action}", state: "CANCELLED", failureReason: { type: "REQUESTED_CANCELLATION" } },
      },
    }),
    control(`A resolved action of a ${kind} answers a cancellation with 409 and itself`, {
      versions: FIRST_AND_LAST,
      given: [started],
      request: { ask: `POST ${actions}/{action}/cancel`, after: 30 },
      expect: { status: 409, body: { id: "{action}", state: "CONFIRMED" } },
    }),
    ...[`GET ${actions}/{unknown}`, `POST ${actions}/{unknown}/cancel`].map((ask) =>
      control(`${ask}: nothing, and no body`, { request: { ask }, expect: { status: 404, isEmpty: true } }),
    ),
  ];
});
