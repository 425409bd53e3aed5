/** Rules S1.5, S1.6 and S1.8: how events reach a webhook, and the single webhook of older versions. */
import { expect } from "vitest";
import type { Happening, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";
import { HOOK, HOOKED } from "./supplement-1-webhooks.ts";

const delivery = says("S1.5");
const retry = says("S1.6");
const single = says("S1.8");
const READ = { ask: "GET /webhooks/{webhook}" };
/** Something that webhooks are told of. */
const CHANGE: Happening = { device: "battery", show: { "battery.mode": "EXPORT_FOCUS" }, after: 5 };
const CHANGED = { event: "user:battery:updated", battery: { id: "{battery}" } };
const FIREHOSE = "PUT /webhooks/firehose";
const DAY_S = 86_400;
const OLDER = { before: "2024-10-01" };

export const DELIVERY_ROWS: readonly Row[] = [
  delivery("Events are posted as an array of JSON with a delivery id and both signatures", {
    versions: NEWEST,
    given: [HOOKED, CHANGE],
    request: READ,
    expect: { status: 200 },
    afterwards: [
      {
        told: CHANGED,
        signedWith: HOOK.secret,
        headers: {
          "content-type": "application/json; charset=utf-8",
          "x-service-delivery": expect.any(String),
          "x-service-signature": expect.stringMatching(/^sha1=[0-9a-f]{40}$/),
          "x-service-signature-256": expect.stringMatching(/^sha256=[0-9a-f]{64}$/),
        },
      },
    ],
  }),
  delivery("A delivery carries the header that the webhook names", {
    versions: NEWEST,
    given: [{ ...HOOKED, body: { ...HOOK, authentication: { headerName: "x-key", headerValue: "open" } } }, CHANGE],
    request: READ,
    expect: { status: 200 },
    afterwards: [{ told: CHANGED, headers: { "x-key": "open" } }],
  }),
  delivery("A delivery that is taken is the last success", {
    versions: NEWEST,
    given: [HOOKED, { device: "battery", after: 60 }, CHANGE],
    request: READ,
    expect: { status: 200, body: { isActive: true, lastSuccess: expect.stringContaining("T00:01:") } },
    afterwards: [{ requests: 1 }],
  }),
  ...[201, 204, 299].map((receiver) =>
    delivery(`An answer of ${receiver} is a success: nothing is sent again`, {
      versions: NEWEST,
      given: [HOOKED, { receiver }, CHANGE],
      request: { ...READ, after: 60 },
      expect: { status: 200, body: { isActive: true } },
      afterwards: [{ requests: 1 }],
    }),
  ),
  ...[302, 400, 404, 410, 500, 503].map((receiver) =>
    delivery(`An answer of ${receiver} is a failure: the same events come again`, {
      versions: NEWEST,
      given: [HOOKED, { receiver }, CHANGE],
      request: { ...READ, after: 12 },
      expect: { status: 200, body: { isActive: true } },
      afterwards: [{ requests: 2, told: CHANGED }],
    }),
  ),
  delivery("Nothing is sent while nothing changes", {
    versions: NEWEST,
    given: [HOOKED],
    request: { ...READ, after: 60 },
    expect: { status: 200 },
    afterwards: [{ requests: 0 }],
  }),
  delivery("A heartbeat comes every five minutes, also to a webhook that asks for something else", {
    versions: NEWEST,
    given: [{ ...HOOKED, body: { ...HOOK, events: ["user:charger:deleted"] } }],
    request: { ...READ, after: 310 },
    expect: { status: 200 },
    afterwards: [{ told: { event: "system:heartbeat", pendingEvents: expect.any(Number) }, requests: 1 }],
  }),
  delivery("A heartbeat names no user", {
    versions: NEWEST,
    given: [HOOKED],
    request: { ...READ, after: 310 },
    expect: { status: 200 },
    afterwards: [{ notTold: { event: "system:heartbeat", user: expect.anything() } }],
  }),
  retry("Events that come while deliveries fail follow when the receiver is back", {
    versions: NEWEST,
    given: [
      HOOKED,
      { receiver: 500 },
      CHANGE,
      { device: "charger", show: { "charger.state": "UNPLUGGED" }, after: 5 },
      { receiver: 200 },
    ],
    request: { ...READ, after: 120 },
    expect: { status: 200, body: { isActive: true } },
    afterwards: [{ told: { event: "user:charger:updated", charger: { chargeState: { isPluggedIn: false } } } }],
  }),
  retry("After a day of failures a webhook is inactive", {
    versions: NEWEST,
    house: "sandbox",
    given: [HOOKED, { receiver: 500 }],
    request: { ...READ, after: 1.15 * DAY_S },
    expect: { status: 200, body: { isActive: false } },
    // 17 attempts of the first heartbeat, and nothing after the last.
    afterwards: [{ requests: 17 }],
  }),
  retry("A change makes an inactive webhook active: heartbeats come again", {
    versions: NEWEST,
    house: "sandbox",
    given: [HOOKED, { receiver: 500 }, { ...READ, after: 1.15 * DAY_S }, { receiver: 200 }],
    request: { ask: "PATCH /webhooks/{webhook}", body: {} },
    expect: { status: 200, body: { isActive: true } },
    afterwards: [{ requests: 18, after: 30 }],
  }),
  retry("A test that succeeds makes an inactive webhook active", {
    versions: NEWEST,
    house: "sandbox",
    given: [
      HOOKED,
      { receiver: 500 },
      { ...READ, after: 1.15 * DAY_S },
      { receiver: 200 },
      { ask: "POST /webhooks/{webhook}/test" },
    ],
    request: READ,
    expect: { status: 200, body: { isActive: true } },
  }),
  single("The single webhook of older versions is set with 204 and found among the others", {
    versions: OLDER,
    given: [{ ask: FIREHOSE, body: HOOK }],
    request: { ask: "GET /webhooks" },
    expect: { status: 200, body: { data: [{ url: HOOK.url, isActive: true }] } },
  }),
  single("The single webhook's test sends an event of its own", {
    versions: ["2024-01-01"],
    given: [{ ask: FIREHOSE, body: HOOK }],
    request: { ask: "POST /webhooks/firehose/test" },
    expect: { status: 200, body: { status: "SUCCESS", response: { code: 200 } } },
    afterwards: [{ told: { event: "service:firehose:test" } }],
  }),
  single("The single webhook is deleted by its URL with 204", {
    versions: ["2024-01-01", "2023-04-01"],
    given: [{ ask: FIREHOSE, body: HOOK }],
    request: { ask: "DELETE /webhooks/firehose", body: { url: HOOK.url } },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /webhooks", expect: { status: 200, body: { data: [] } } }],
  }),
  single("A single webhook that there is not cannot be deleted", {
    versions: OLDER,
    request: { ask: "DELETE /webhooks/firehose", body: { url: HOOK.url } },
    expect: { status: 404, problem: "not-found" },
  }),
  // Rule S0.7 keeps the single webhook in every version, 2024-10-01 too.
  single("PUT /webhooks/firehose is there in 2024-10-01 too", {
    versions: NEWEST,
    request: { ask: FIREHOSE, body: HOOK },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /webhooks", expect: { status: 200, body: { data: [{ url: HOOK.url }] } } }],
  }),
  single("DELETE /webhooks/firehose is there in 2024-10-01 too", {
    versions: NEWEST,
    given: [{ ask: FIREHOSE, body: HOOK }],
    request: { ask: "DELETE /webhooks/firehose", body: { url: HOOK.url } },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /webhooks", expect: { status: 200, body: { data: [] } } }],
  }),
  single("POST /webhooks/firehose/test is there in 2024-10-01 too", {
    versions: NEWEST,
    given: [{ ask: FIREHOSE, body: HOOK }],
    request: { ask: "POST /webhooks/firehose/test" },
    expect: { status: 200, body: { status: "SUCCESS", response: { code: 200 } } },
    afterwards: [{ told: { event: "service:firehose:test" } }],
  }),
];
