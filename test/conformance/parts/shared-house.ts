/** Two clients of one gateway: users, devices and what is about them are the house's, webhooks and keys a client's own. */
import { LOCATION } from "../given.ts";
import type { Ask, Row } from "../row.ts";
import { about, INSTANT, LISTENING, NEWEST, PLACED, TEXT, USERS_IN_PATHS } from "../words.ts";

const row = about("I5");
const guest = { as: "guest" } as const;
const DEVICES = {
  battery: "batteries",
  charger: "chargers",
  hvac: "hvacs",
  inverter: "inverters",
  meter: "meters",
  vehicle: "vehicles",
};
const MODE: Ask = {
  ask: "POST /batteries/{battery}/operation-mode",
  body: { operationMode: "IMPORT_FOCUS" },
  keep: { action: "id" },
};
const SCHEDULE: Ask = {
  ask: "POST /users/{user}/schedules",
  body: {
    targetType: "charger",
    targetId: "{charger}",
    locationId: null,
    isEnabled: true,
    defaultShouldCharge: false,
    rules: [],
  },
  keep: { schedule: "id" },
};
const HOOK = { url: "https://hooks.example/other", secret: "another-secret" };
const KEY = { "idempotency-key": "once" };
const START: Ask = { ask: "POST /chargers/{charger}/charging", body: { action: "START" }, headers: KEY };

export const SHARED_HOUSE_ROWS: readonly Row[] = [
  ...Object.entries(DEVICES).map(([kind, plural]) =>
    row(`Another client reads the same ${kind}`, {
      versions: USERS_IN_PATHS,
      request: { ask: `GET /${plural}/{${kind}}`, ...guest },
      expect: { status: 200, body: { id: `{${kind}}`, userId: "{user}" } },
    }),
  ),
  row("Another client reads the same user", {
    versions: USERS_IN_PATHS,
    request: { ask: "GET /users/{user}", ...guest },
    expect: { status: 200, body: { id: "{user}" } },
  }),
  row("A location that one client makes another reads, changes and deletes", {
    versions: USERS_IN_PATHS,
    given: [PLACED],
    request: { ask: "PUT /locations/{location}", body: { name: "Renamed" }, ...guest },
    expect: { status: 200, body: { id: "{location}", name: "Renamed" } },
    afterwards: [
      { ask: "GET /locations/{location}", expect: { status: 200, body: { name: "Renamed" } } },
      { ask: "DELETE /locations/{location}", ...guest, expect: { status: 200, body: { id: "{location}" } } },
      { ask: "GET /locations/{location}", expect: { status: 404, problem: "not-found" } },
    ],
  }),
  row("A command of one client is read and cancelled by another", {
    versions: NEWEST,
    given: [{ device: "battery", ignoresCommands: true }, MODE],
    request: { ask: "POST /batteries/actions/{action}/cancel", ...guest },
    expect: { status: 200, body: { id: "{action}", state: "CANCELLED", completedAt: INSTANT } },
    afterwards: [
      { ask: "GET /batteries/actions/{action}", expect: { status: 200, body: { state: "CANCELLED" } } },
      { ask: "GET /batteries/actions/{action}", ...guest, expect: { status: 200, body: { state: "CANCELLED" } } },
    ],
  }),
  row("A command of another client takes the place of the pending one", {
    versions: NEWEST,
    given: [{ device: "battery", ignoresCommands: true }, MODE],
    request: {
      ask: "POST /batteries/{battery}/operation-mode",
      body: { operationMode: "EXPORT_FOCUS" },
      ...guest,
    },
    expect: { status: 200, body: { state: "PENDING", targetState: { operationMode: "EXPORT_FOCUS" } } },
    afterwards: [
      {
        ask: "GET /batteries/actions/{action}",
        expect: { status: 200, body: { state: "CANCELLED", failureReason: { type: "CONFLICT" } } },
      },
    ],
  }),
  row("A schedule of one client refuses the command of another, who may switch it off", {
    versions: NEWEST,
    given: [SCHEDULE],
    request: { ask: "POST /chargers/{charger}/charging", body: { action: "START" }, ...guest },
    expect: { status: 422 },
    afterwards: [
      { ask: "GET /schedules/{schedule}", ...guest, expect: { status: 200, body: { id: "{schedule}" } } },
      { ask: "DELETE /schedules/{schedule}", ...guest, expect: { status: 204 } },
      { ask: "GET /schedules/{schedule}", expect: { status: 404, problem: "not-found" } },
    ],
  }),
  row("A policy that one client sets another reads", {
    versions: NEWEST,
    given: [{ ask: "PUT /vehicles/{vehicle}/smart-charging-policy", body: { minimumChargeLimit: 35 } }],
    request: { ask: "GET /vehicles/{vehicle}/smart-charging-policy", ...guest },
    expect: { status: 200, body: { minimumChargeLimit: 35 } },
  }),
  row("A tariff that one client makes another links to a location", {
    versions: NEWEST,
    given: [LOCATION, { ask: "PUT /tariffs/flat", body: [{ name: "all", cost: "0.30" }] }],
    request: {
      ask: "PUT /locations/{location}/tariff",
      body: { tariffId: "flat", tariffIntervals: [{ name: "all", from: "00:00", to: "24:00" }] },
      ...guest,
    },
    expect: { status: 204 },
    afterwards: [{ ask: "GET /locations/{location}/tariff", expect: { status: 200, body: [{ tariffId: "flat" }] } }],
  }),
  row("A user whom one client deletes is gone for the other", {
    versions: NEWEST,
    given: [{ ask: "DELETE /users/{neighbour}", ...guest }],
    request: { ask: "GET /users/{neighbour}" },
    expect: { status: 404, problem: "not-found" },
  }),
  row("A webhook is its client's own", {
    versions: USERS_IN_PATHS,
    given: [LISTENING],
    request: { ask: "GET /webhooks", ...guest },
    expect: { status: 200, body: { data: [] } },
    afterwards: [
      { ask: "GET /webhooks/{webhook}", ...guest, expect: { status: 404, problem: "not-found" } },
      { ask: "PATCH /webhooks/{webhook}", body: { secret: "stolen-secret" }, ...guest, expect: { status: 404 } },
      { ask: "POST /webhooks/{webhook}/test", ...guest, expect: { status: 404 } },
      { ask: "DELETE /webhooks/{webhook}", ...guest, expect: { status: 404 } },
      { ask: "GET /webhooks/{webhook}", expect: { status: 200, body: { id: "{webhook}", isActive: true } } },
    ],
  }),
  row("Two clients have webhooks at the same address", {
    versions: NEWEST,
    given: [{ ask: "POST /webhooks", body: HOOK, keep: { first: "id" } }],
    request: { ask: "POST /webhooks", body: HOOK, ...guest },
    expect: { status: 200, body: { id: TEXT, url: HOOK.url } },
    afterwards: [
      { ask: "GET /webhooks/{first}", expect: { status: 200, body: { url: HOOK.url } } },
      { ask: "GET /webhooks/{first}", ...guest, expect: { status: 404 } },
    ],
  }),
  row("What another client does is sent to the webhooks of all", {
    versions: NEWEST,
    given: [LISTENING],
    request: { ...MODE, ...guest },
    expect: { status: 200, body: { state: "PENDING" } },
    afterwards: [{ told: { event: "user:vendor-action:updated", vendorAction: { id: "{action}" } }, after: 60 }],
  }),
  row("An idempotency key is its client's own", {
    versions: NEWEST,
    given: [START],
    // The same client would be refused: the key stands for another command.
    request: { ask: "POST /chargers/{charger}/max-current", body: { maxCurrent: 10 }, headers: KEY, ...guest },
    expect: { status: 200, body: { targetState: { maxCurrent: 10 } } },
    afterwards: [
      {
        ask: "POST /chargers/{charger}/max-current",
        body: { maxCurrent: 10 },
        headers: KEY,
        expect: { status: 409 },
      },
    ],
  }),
];
