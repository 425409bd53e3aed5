/** Rule S3: problems. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";

const shape = says("S3.1");
const type = says("S3.2");

const ISSUES = [
  ["invalid_type", "POST /users/ada/locations", { name: 5, latitude: 1, longitude: 1 }, ["name"]],
  ["invalid_enum", "POST /chargers/{charger}/charging", { action: "PAUSE" }, ["action"]],
  ["too_small", "POST /users/{user}/locations", { name: "", latitude: 1, longitude: 1 }, ["name"]],
  ["too_big", "POST /users/{user}/locations", { name: "a", latitude: 91, longitude: 1 }, ["latitude"]],
  ["invalid_string", "PUT /chargers/{charger}/smart-charging-policy", { deadline: "25:00" }, ["deadline"]],
  ["unrecognized_keys", "POST /chargers/{charger}/charging", { action: "START", now: true }, expect.any(Array)],
] as const;

/** Bodies that are closed, each with one key too many. */
const CLOSED = [
  [
    "POST /users/{user}/link",
    { scopes: ["meter:read:data"], language: "en-US", redirectUri: "app://done", vendorType: "meter" },
  ],
  ["POST /webhooks", { url: "https://hooks.example/in", secret: "example-secret" }],
  ["POST /users/{user}/locations", { name: "a", latitude: 1, longitude: 1 }],
  [
    "POST /users/{user}/schedules",
    {
      targetType: "charger",
      targetId: "{charger}",
      locationId: null,
      isEnabled: false,
      defaultShouldCharge: true,
      rules: [],
    },
  ],
  ["POST /hvacs/{hvac}/permanent-hold", { mode: "OFF" }],
  ["POST /chargers/{charger}/max-current", { maxCurrent: 10 }],
  ["POST /vehicles/{vehicle}/max-current", { maxCurrent: 10 }],
  ["POST /batteries/{battery}/operation-mode", { operationMode: "IMPORT_FOCUS" }],
  ["POST /chargers/{charger}/charging", { action: "START" }],
  ["POST /vehicles/{vehicle}/charging", { action: "START" }],
  ["PUT /chargers/{charger}", { locationId: null }],
  ["PUT /hvacs/{hvac}", { locationId: null }],
  ["PUT /chargers/{charger}/smart-charging-policy", { deadline: "07:00" }],
  ["PUT /hvacs/{hvac}/smart-policy", { isEnabled: false }],
  ["POST /assets/{vehicle}/relink", { language: "en-US", redirectUri: "app://done" }],
] as const;

const EMPTY = [
  ...["batteries", "chargers", "hvacs", "vehicles"].flatMap((plural) => [
    `GET /${plural}/actions/{unknown}`,
    `POST /${plural}/actions/{unknown}/cancel`,
  ]),
  "GET /interventions/{unknown}",
];

const WITH_PROBLEM = [
  "GET /locations/{unknown}/tariff",
  "GET /vehicles/{unknown}/smart-override",
  "GET /webhooks/{unknown}",
  "GET /inverters/{unknown}/statistics?year=2026&month=6",
  "GET /users/{user}/statistics/charging?type=charger&startDate=2026-06-20T00:00:00Z&id={unknown}",
  "GET /hem-systems/{unknown}",
  "GET /schedules/{unknown}",
  "GET /tariffs/nothing",
  "GET /users/nobody",
];

export const PROBLEM_ROWS: readonly Row[] = [
  shape("A problem has type, title and detail, and no more, from 2024-10-01", {
    versions: NEWEST,
    request: { ask: "GET /meters/{unknown}" },
    expect: {
      status: 404,
      exactly: { type: "/problems/not-found", title: "Not Found", detail: expect.any(String) },
      headers: { "content-type": "application/problem+json" },
    },
  }),
  shape("Before 2024-10-01 a problem repeats its type and its detail", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /meters/{unknown}" },
    expect: { status: 404, body: { error: "/problems/not-found", message: expect.any(String) } },
  }),
  ...ISSUES.map(([code, ask, body, path]) =>
    shape(`What is wrong with a body is reported as ${code}, with its place`, {
      versions: { from: "2023-08-01" },
      request: { ask, body },
      expect: { status: 400, body: { issues: [{ code, path, message: expect.any(String), in: "body" }] } },
    }),
  ),
  shape("A place inside a list is reported with its index", {
    versions: NEWEST,
    request: {
      ask: "POST /users/{user}/schedules",
      body: {
        targetType: "charger",
        targetId: "{charger}",
        locationId: null,
        isEnabled: false,
        defaultShouldCharge: true,
        rules: [{ shouldCharge: true, hourMinute: { from: "07:00", to: "x" } }],
      },
    },
    expect: { status: 400, body: { issues: [{ path: ["rules", 0, "hourMinute", "to"], in: "body" }] } },
  }),
  shape("Two queries that exclude each other are reported as such", {
    request: { ask: "GET /meters?after=2024-01-01T00:00:00Z&before=2024-01-01T00:00:00Z" },
    expect: { status: 400, body: { issues: [{ code: "mutually_exclusive", in: "query" }] } },
  }),
  shape("What is wrong with a query is reported with its place", {
    request: { ask: "GET /meters?pageSize=many" },
    expect: { status: 400, body: { issues: [{ path: ["pageSize"], in: "query", message: expect.any(String) }] } },
  }),
  shape("What is wrong with a header is reported with its place", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /meters", headers: { "service-user-id": "home" } },
    expect: { status: 400, body: { issues: [{ in: "header" }] } },
  }),
  ...EMPTY.map((ask) =>
    type(`${ask} is 404 without a body`, { request: { ask }, expect: { status: 404, isEmpty: true } }),
  ),
  ...WITH_PROBLEM.map((ask) =>
    type(`${ask} is 404 with a problem`, {
      versions: NEWEST,
      request: { ask },
      expect: { status: 404, problem: "not-found" },
    }),
  ),
  ...CLOSED.map(([ask, body]) =>
    type(`${ask} refuses a key that it does not know`, {
      versions: { from: ask.includes("relink") ? "2024-10-01" : "2024-01-01" },
      request: { ask, body: { ...body, oddKey: 1 } },
      expect: { status: 400, body: { issues: [{ code: "unrecognized_keys", in: "body" }] } },
    }),
  ),
  type("A statistics question about an unknown asset says which title it has", {
    versions: NEWEST,
    request: {
      ask: "GET /users/{user}/statistics/charging?type=charger&startDate=2026-06-20T00:00:00Z&id={unknown}",
    },
    expect: { status: 404, problem: "not-found", body: { title: "Asset not found" } },
  }),
];
