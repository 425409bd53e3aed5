/** Rules S1.1 to S1.4: webhooks as records. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { FIRST_AND_LAST, NEWEST, says } from "../says.ts";

const record = says("S1.1");
const made = says("S1.2");
const kept = says("S1.3");
const tested = says("S1.4");
const CREATE = "POST /webhooks";
export const HOOK = { url: "https://hooks.example/in", secret: "example-secret" };
export const HOOKED = { ask: CREATE, body: HOOK, keep: { webhook: "id" } };
const REFUSED = {
  status: 400,
  problem: "bad-request",
  body: { title: "Webhook input is not valid.", issues: [{ in: "body" }] },
};

function refused(statement: string, body: object): Row {
  return made(statement, { versions: NEWEST, request: { ask: CREATE, body }, expect: REFUSED });
}

export const WEBHOOK_RECORD_ROWS: readonly Row[] = [
  record("A webhook is made with 200 and answered without its secret", {
    request: { ask: CREATE, body: HOOK },
    expect: {
      status: 200,
      exactly: {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        url: HOOK.url,
        events: ["*"],
        lastSuccess: expect.any(String),
        isActive: true,
        createdAt: expect.any(String),
        apiVersion: null,
        authentication: null,
      },
    },
  }),
  record("A header for authentication is answered by its name alone", {
    versions: FIRST_AND_LAST,
    request: {
      ask: CREATE,
      body: {
        ...HOOK,
        authentication: { headerName: "x-my_key-1", headerValue: "a b_:;.,/\\\"'?!(){}[]@<>=-+*#$&`|~^%" },
      },
    },
    expect: {
      status: 200,
      body: { authentication: { headerName: "x-my_key-1" } },
      lacks: ["authentication.headerValue"],
    },
  }),
  made("A webhook may name its events and its version", {
    versions: FIRST_AND_LAST,
    request: { ask: CREATE, body: { ...HOOK, events: ["user:battery:updated"], apiVersion: "2023-08-01" } },
    expect: { status: 200, body: { events: ["user:battery:updated"], apiVersion: "2023-08-01" } },
  }),
  ...["2023-04-01", "2023-04-15", "2023-05-01", "2023-08-01", "2024-01-01", "2024-10-01"].map((apiVersion) =>
    made(`A webhook may be in version ${apiVersion}`, {
      versions: NEWEST,
      request: { ask: CREATE, body: { ...HOOK, apiVersion } },
      expect: { status: 200, body: { apiVersion } },
    }),
  ),
  refused("A URL that is not https is refused", { ...HOOK, url: "http://hooks.example/in" }),
  refused("A URL of less than 8 characters is refused", { ...HOOK, url: "https:/" }),
  refused("A URL of more than 200 characters is refused", { ...HOOK, url: `${HOOK.url}/${"a".repeat(200)}` }),
  refused("A webhook without a URL is refused", { secret: HOOK.secret }),
  refused("A webhook without a secret is refused", { url: HOOK.url }),
  refused("A secret of less than 6 characters is refused", { ...HOOK, secret: "12345" }),
  refused("A secret of more than 256 characters is refused", { ...HOOK, secret: "a".repeat(257) }),
  made("A list as a secret is refused with one issue", {
    versions: NEWEST,
    request: { ask: CREATE, body: { ...HOOK, secret: ["example-secret"] } },
    expect: { ...REFUSED, body: { issues: [{ code: "invalid_type", path: ["secret"], in: "body" }] } },
  }),
  refused("An unknown key is refused", { ...HOOK, colour: "red" }),
  refused("A version that is not served is refused", { ...HOOK, apiVersion: "2022-01-01" }),
  refused("An event that cannot be subscribed is refused", { ...HOOK, events: ["user:toaster:updated"] }),
  refused("The heartbeat cannot be subscribed", { ...HOOK, events: ["system:heartbeat"] }),
  refused("Half an authentication is refused", { ...HOOK, authentication: { headerName: "x-key" } }),
  refused("Capitals in the name of a header are refused", {
    ...HOOK,
    authentication: { headerName: "X-Key", headerValue: "a" },
  }),
  refused("A header's name of more than 128 characters is refused", {
    ...HOOK,
    authentication: { headerName: "a".repeat(129), headerValue: "a" },
  }),
  refused("A header's value of more than 256 characters is refused", {
    ...HOOK,
    authentication: { headerName: "x-key", headerValue: "a".repeat(257) },
  }),
  refused("A header's value that is not printable is refused", {
    ...HOOK,
    authentication: { headerName: "x-key", headerValue: "a\tb" },
  }),
  ...[
    ...["vehicle", "charger", "hvac", "inverter", "battery", "meter", "hem-system"].flatMap((kind) =>
      ["discovered", "updated", "deleted"].map((happened) => `user:${kind}:${happened}`),
    ),
    "user:inverter:statistics-updated",
    "user:vehicle:smart-charging-status-updated",
    "user:vendor-action:updated",
    "user:schedule:execution-updated",
    "user:credentials:invalidated",
    "user:charge-action:updated",
    "service:webhook:test",
    "service:firehose:test",
  ].map((event) =>
    made(`${event} can be subscribed`, {
      versions: NEWEST,
      request: { ask: CREATE, body: { ...HOOK, events: [event] } },
      expect: { status: 200, body: { events: [event] } },
    }),
  ),
  made("The same URL in the same version a second time is refused", {
    given: [HOOKED],
    request: { ask: CREATE, body: HOOK },
    expect: { status: 400, problem: "bad-request", body: { title: "Webhook already exists." } },
  }),
  made("The same URL in another version is another webhook", {
    versions: FIRST_AND_LAST,
    given: [HOOKED],
    request: { ask: CREATE, body: { ...HOOK, apiVersion: "2023-04-15" }, keep: { second: "id" } },
    expect: { status: 200, body: { url: HOOK.url, apiVersion: "2023-04-15" } },
    afterwards: [
      { ask: "GET /webhooks", expect: { status: 200, body: { data: [{ id: "{second}" }, { id: "{webhook}" }] } } },
    ],
  }),
  kept("Webhooks are listed in pages", {
    given: [HOOKED],
    request: { ask: "GET /webhooks" },
    expect: { status: 200, body: { data: [{ id: "{webhook}" }], pagination: { after: null, before: null } } },
  }),
  kept("One webhook is read by its id", {
    versions: FIRST_AND_LAST,
    given: [HOOKED],
    request: { ask: "GET /webhooks/{webhook}" },
    expect: { status: 200, body: { id: "{webhook}", url: HOOK.url }, lacks: ["secret"] },
  }),
  ...["GET /webhooks/{unknown}", "DELETE /webhooks/{unknown}", "POST /webhooks/{unknown}/test"].map((ask) =>
    kept(`${ask}: there is no such webhook`, {
      request: { ask },
      expect: {
        status: 404,
        problem: "not-found",
        body: { title: "Webhook not found", detail: expect.stringContaining("99999999-9999-4999-8999-999999999999") },
      },
    }),
  ),
  kept("An unknown webhook cannot be changed", {
    request: { ask: "PATCH /webhooks/{unknown}", body: { events: ["*"] } },
    expect: { status: 404, problem: "not-found", body: { title: "Webhook not found" } },
  }),
  kept("A change names only what changes", {
    versions: FIRST_AND_LAST,
    given: [HOOKED],
    request: { ask: "PATCH /webhooks/{webhook}", body: { events: ["user:meter:updated"] } },
    expect: { status: 200, body: { id: "{webhook}", url: HOOK.url, events: ["user:meter:updated"], isActive: true } },
  }),
  kept("A change with an unknown key is refused", {
    versions: NEWEST,
    given: [HOOKED],
    request: { ask: "PATCH /webhooks/{webhook}", body: { isActive: true } },
    expect: REFUSED,
  }),
  kept("Header authentication is taken away with null", {
    versions: FIRST_AND_LAST,
    given: [
      {
        ask: CREATE,
        body: { ...HOOK, authentication: { headerName: "x-key", headerValue: "a" } },
        keep: { webhook: "id" },
      },
    ],
    request: { ask: "PATCH /webhooks/{webhook}", body: { authentication: null } },
    expect: { status: 200, body: { authentication: null } },
  }),
  kept("A webhook is deleted with 204", {
    versions: FIRST_AND_LAST,
    given: [HOOKED],
    request: { ask: "DELETE /webhooks/{webhook}" },
    expect: { status: 204, isEmpty: true },
    afterwards: [{ ask: "GET /webhooks/{webhook}", expect: { status: 404, problem: "not-found" } }],
  }),
  tested("A test that the receiver takes is a success with its answer", {
    versions: FIRST_AND_LAST,
    given: [HOOKED],
    request: { ask: "POST /webhooks/{webhook}/test" },
    expect: {
      status: 200,
      body: { status: "SUCCESS", description: expect.any(String), response: { code: 200, body: "" } },
    },
    afterwards: [{ told: { event: "service:webhook:test" }, headers: { "x-service-delivery": expect.any(String) } }],
  }),
  tested("A test that the receiver refuses is a failure with its answer, and 200", {
    versions: FIRST_AND_LAST,
    given: [HOOKED, { receiver: 500 }],
    request: { ask: "POST /webhooks/{webhook}/test" },
    expect: { status: 200, body: { status: "FAILURE", description: expect.any(String), response: { code: 500 } } },
  }),
  tested("A test without any answer has no response", {
    versions: NEWEST,
    given: [{ ask: CREATE, body: { ...HOOK, url: "https://nobody.example/in" }, keep: { webhook: "id" } }],
    request: { ask: "POST /webhooks/{webhook}/test" },
    expect: { status: 200, body: { status: "FAILURE", response: null } },
  }),
];
