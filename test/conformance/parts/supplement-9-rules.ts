/** Rule S9: pagination, versions, OAuth, limits and identifiers. */
import { expect } from "vitest";
import type { Ask, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const delivery = says("S1.5");
const page = says("S9.1");
const served = says("S9.2");
const token = says("S9.3");
const limit = says("S9.4");
const identifier = says("S9.5");
const prefix = says("S9.7");
const VERSIONS = ["2023-04-01", "2023-04-15", "2023-05-01", "2023-08-01", "2024-01-01", "2024-10-01"];
const NOT_SERVED = ["2023-02-01", "2023-03-01", "2025-01-01", "latest"];
const FORM = { "content-type": "application/x-www-form-urlencoded" };
const STRANGER: Ask = {
  ask: "POST /oauth2/token",
  token: null,
  headers: { ...FORM, authorization: "Basic bm9ib2R5Om5vdGhpbmc=" },
  body: "grant_type=client_credentials",
};
const COMMAND: Ask = { ask: "POST /chargers/{charger}/max-current", body: { maxCurrent: 10 } };

/** A link makes its user. */
const LINK = { scopes: ["vehicle:read:data"], language: "en-US", redirectUri: "app://done", vendorType: "vehicle" };

const LISTS = [
  "/batteries",
  "/chargers",
  "/hvacs",
  "/inverters",
  "/meters",
  "/vehicles",
  "/users",
  "/locations",
  "/hem-systems",
  "/webhooks",
  "/users/{user}/schedules",
];

const UUID_PATHS = [
  "/batteries/nonsense",
  "/inverters/nonsense",
  "/meters/nonsense",
  "/hem-systems/nonsense",
  "/locations/nonsense",
  "/schedules/nonsense",
  "/webhooks/nonsense",
];

/** Requests beyond what the limits of a new gateway allow at once. */
function repeated(ask: Ask, times: number): readonly Ask[] {
  return Array.from({ length: times }, () => ask);
}

export const RULE_ROWS: readonly Row[] = [
  ...LISTS.map((path) =>
    page(`${path} has pages of one entry`, {
      versions: NEWEST,
      request: { ask: `GET ${path}?pageSize=1` },
      expect: {
        status: 200,
        body: { data: expect.any(Array), pagination: { before: null } },
      },
    }),
  ),
  ...LISTS.flatMap((path) =>
    ["0", "-1", "1.5", "many"].map((pageSize) =>
      page(`${path} refuses pages of ${pageSize}`, {
        versions: NEWEST,
        request: { ask: `GET ${path}?pageSize=${pageSize}` },
        expect: { status: 400, problem: "bad-request", body: { issues: [{ path: ["pageSize"], in: "query" }] } },
      }),
    ),
  ),
  page("Pages of more than 1000 are pages of 1000", {
    versions: NEWEST,
    given: Array.from({ length: 1_001 }, (_none, at) => ({ ask: `POST /users/u${at}/link`, body: LINK })),
    request: { ask: "GET /users?pageSize=1001" },
    expect: {
      status: 200,
      body: { data: { length: 1_000 }, pagination: { after: expect.any(String), before: null } },
    },
  }),
  page("A page leads to the next, which leads back", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [{ ask: "GET /meters?pageSize=1", keep: { next: "pagination.after", first: "data.0.id" } }],
    request: { ask: "GET /meters?pageSize=1&after={next}", keep: { back: "pagination.before" } },
    expect: { status: 200, body: { data: [{}], pagination: { after: null, before: expect.any(String) } } },
    afterwards: [
      { ask: "GET /meters?pageSize=1&before={back}", expect: { status: 200, body: { data: [{ id: "{first}" }] } } },
    ],
  }),
  page("A malformed cursor is refused", {
    versions: NEWEST,
    request: { ask: "GET /meters?after=%21%21" },
    expect: { status: 400, problem: "bad-request" },
  }),
  page("A cursor may be the base64 of an instant", {
    versions: NEWEST,
    request: { ask: `GET /meters?after=${Buffer.from("2030-01-01T00:00:00.000Z").toString("base64url")}` },
    expect: { status: 200, body: { data: [{}, {}] } },
  }),
  ...VERSIONS.map((version) =>
    served(`${version} is served, and its answers say so`, {
      versions: NEWEST,
      request: { ask: "GET /meters", version },
      expect: { status: 200, headers: { "service-version": version } },
    }),
  ),
  ...NOT_SERVED.map((version) =>
    served(`${version} is not served, and the answer names what is`, {
      versions: NEWEST,
      request: { ask: "GET /meters", version },
      expect: {
        status: 400,
        problem: "unsupported-version",
        body: { title: "Unsupported version", detail: expect.stringMatching(/2024-10-01.*2023-04-01/) },
      },
    }),
  ),
  prefix("A header of another name prefix asks for the version, and answers too", {
    versions: NEWEST,
    house: "renamed",
    request: { ask: "GET /meters", version: "2024-01-01", headers: { "acme-version": "2024-01-01" } },
    expect: { status: 200, headers: { "acme-version": "2024-01-01" } },
  }),
  prefix("With another name prefix a webhook's own event has it", {
    versions: NEWEST,
    house: "renamed",
    given: [
      {
        ask: "POST /webhooks",
        body: { url: "https://hooks.example/in", secret: "example-secret" },
        keep: { webhook: "id" },
      },
    ],
    request: { ask: "POST /webhooks/{webhook}/test" },
    expect: { status: 200, body: { status: "SUCCESS" } },
    afterwards: [
      {
        told: { event: "acme:webhook:test" },
        headers: { "x-acme-delivery": expect.any(String), "x-acme-signature": expect.any(String) },
      },
    ],
  }),
  delivery("Plain http in the house is allowed to webhooks where the setting says so", {
    versions: NEWEST,
    house: "renamed",
    request: { ask: "POST /webhooks", body: { url: "http://192.168.1.20/hook", secret: "example-secret" } },
    expect: { status: 200, body: { url: "http://192.168.1.20/hook" } },
  }),
  ...(
    [
      [
        "a client that is unknown",
        { authorization: "Basic bm9ib2R5Om5vdGhpbmc=" },
        "grant_type=client_credentials",
        401,
        "invalid_client",
      ],
      [
        "a client in the body that is unknown",
        {},
        "grant_type=client_credentials&client_id=a&client_secret=b",
        401,
        "invalid_client",
      ],
      [
        "another grant",
        { authorization: "Basic bm9ib2R5Om5vdGhpbmc=" },
        "grant_type=password",
        400,
        "unsupported_grant_type",
      ],
      ["no grant", { authorization: "Basic bm9ib2R5Om5vdGhpbmc=" }, "scope=", 400, "invalid_request"],
    ] as const
  ).map(([what, headers, body, status, error]) =>
    token(`A token request with ${what} is ${error}`, {
      versions: NEWEST,
      request: { ask: "POST /oauth2/token", token: null, headers: { ...FORM, ...headers }, body },
      expect: {
        status,
        body: { error, error_description: expect.any(String) },
        headers: {
          "cache-control": "no-store",
          ...(status === 401 && { "www-authenticate": expect.stringMatching(/^Basic/) }),
        },
      },
    }),
  ),
  token("A token that is not known is a problem", {
    versions: NEWEST,
    request: { ask: "GET /meters", token: "nonsense" },
    expect: { status: 401, problem: "unauthorized", body: { title: "Unauthorized", detail: expect.any(String) } },
  }),
  token("The eleventh failed token request in a minute is too many", {
    versions: NEWEST,
    request: STRANGER,
    expect: { status: 401 },
    afterwards: [
      ...Array.from({ length: 9 }, () => ({ ...STRANGER, expect: { status: 401 } })),
      { ...STRANGER, expect: { status: 429, headers: { "retry-after": expect.anything() } } },
    ],
  }),
  limit("Every answer says what is left of the limit", {
    request: { ask: "GET /meters" },
    expect: {
      status: 200,
      headers: {
        "ratelimit-limit": expect.anything(),
        "ratelimit-remaining": expect.anything(),
        "ratelimit-reset": expect.anything(),
      },
    },
  }),
  limit("A new gateway allows a burst of requests", {
    versions: NEWEST,
    house: "limited",
    given: repeated({ ask: "GET /meters" }, 90),
    request: { ask: "GET /meters" },
    expect: { status: 200, body: { data: [{}, {}] } },
  }),
  limit("The seventh command to a device in a minute is too many", {
    versions: NEWEST,
    house: "limited",
    given: repeated(COMMAND, 6),
    request: COMMAND,
    expect: { status: 429, problem: "too-many-requests", headers: { "retry-after": expect.anything() } },
  }),
  limit("A minute later a device takes commands again", {
    versions: NEWEST,
    house: "limited",
    given: repeated(COMMAND, 6),
    request: { ...COMMAND, body: { maxCurrent: 12 }, after: 61 },
    expect: { status: 200, body: { targetId: "{charger}", targetState: { maxCurrent: 12 } } },
    afterwards: [
      { ask: "GET /chargers/{charger}", after: 5, expect: { status: 200, body: { chargeState: { maxCurrent: 12 } } } },
    ],
  }),
  limit("Hints beyond one in half a minute are taken all the same", {
    versions: NEWEST,
    house: "limited",
    given: repeated({ ask: "POST /chargers/{charger}/refresh-hint" }, 3),
    request: { ask: "POST /chargers/{charger}/refresh-hint" },
    expect: { status: 204, isEmpty: true },
  }),
  ...UUID_PATHS.map((path) =>
    identifier(`GET ${path}, which is no uuid, is not found`, {
      versions: NEWEST,
      request: { ask: `GET ${path}` },
      expect: { status: 404, problem: "not-found" },
    }),
  ),
];
