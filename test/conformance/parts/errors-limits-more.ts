/** Rules I7, I8 and I9: what is not in the parts of the endpoints. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { about, INSTANT, NEWEST, OLDER, TEXT, USER_IN_HEADER, USERS_IN_PATHS } from "../words.ts";

const error = about("I7");
const limit = about("I8");
const version = about("I9");

const DATES = ["2024-10-01", "2024-01-01", "2023-08-01", "2023-05-01", "2023-04-15", "2023-04-01"] as const;
const PROBLEM = { type: expect.stringMatching(/^\/problems\/[a-z-]+$/), title: TEXT, detail: TEXT };

/** Devices, whose unknown ids all answer alike. */
const KINDS = ["batteries", "chargers", "hvacs", "inverters", "meters", "vehicles"] as const;

const ERROR_ROWS: readonly Row[] = [
  ...KINDS.map((plural) =>
    error(`An unknown id among ${plural} is a problem that says which`, {
      request: { ask: `GET /${plural}/{unknown}` },
      expect: {
        status: 404,
        problem: "not-found",
        body: { ...PROBLEM, detail: expect.stringContaining("99999999-9999-4999-8999-999999999999") },
      },
    }),
  ),
  error("The id of the vendor is not the id of the device", {
    request: { ask: "GET /batteries/B-1" },
    expect: { status: 404, problem: "not-found" },
  }),
  error("A device that was never reached is read all the same", {
    versions: NEWEST,
    house: "sandbox",
    request: { ask: "GET /vehicles" },
    expect: { status: 200, body: { data: [] } },
  }),
  error("A failure of an action is in the action, not in an HTTP error", {
    versions: NEWEST,
    given: [
      { device: "battery", ignoresCommands: true },
      {
        ask: "POST /batteries/{battery}/operation-mode",
        body: { operationMode: "IMPORT_FOCUS" },
        keep: { action: "id" },
      },
    ],
    request: { ask: "GET /batteries/actions/{action}", after: 660 },
    expect: { status: 200, body: { state: "FAILED", failureReason: { type: "NO_RESPONSE", detail: TEXT } } },
  }),
  error("409 of a cancellation is the action, not a problem", {
    versions: ["2024-10-01", "2023-04-01"],
    given: [
      {
        ask: "POST /batteries/{battery}/operation-mode",
        body: { operationMode: "IMPORT_FOCUS" },
        keep: { action: "id" },
      },
      { ask: "POST /batteries/actions/{action}/cancel" },
    ],
    request: { ask: "POST /batteries/actions/{action}/cancel" },
    expect: { status: 409, body: { id: "{action}", state: "CANCELLED" }, lacks: ["type", "title", "detail"] },
  }),
];

const LIMIT_ROWS: readonly Row[] = [
  limit("A page has 50 entries when nothing is said", {
    versions: NEWEST,
    given: Array.from({ length: 51 }, (_, n) => ({
      ask: "POST /users/{user}/locations",
      body: { name: `Place ${n}`, latitude: 0, longitude: n },
    })),
    request: { ask: "GET /locations" },
    expect: {
      status: 200,
      body: { data: Array.from({ length: 50 }, () => ({ id: TEXT })), pagination: { after: TEXT, before: null } },
    },
  }),
  limit("What a read answers is at most ten minutes old", {
    request: { ask: "GET /batteries/{battery}", after: 3_600 },
    versions: NEWEST,
    expect: {
      status: 200,
      body: { chargeState: { lastUpdated: expect.stringMatching(/^2026-06-21T(00:5|01:0)/) }, lastSeen: INSTANT },
    },
  }),
  ...["0", "-1", "1.5", "many"].map((pageSize) =>
    limit(`A page size of ${pageSize} is refused on any list`, {
      request: { ask: `GET /users?pageSize=${pageSize}` },
      expect: { status: 400, body: { issues: [{ in: "query", path: ["pageSize"] }] } },
    }),
  ),
  limit("Newest come first", {
    versions: NEWEST,
    given: [
      { ask: "POST /users/{user}/locations", body: { name: "Old", latitude: 0, longitude: 0 } },
      { device: "battery", after: 5 },
      { ask: "POST /users/{user}/locations", body: { name: "New", latitude: 0, longitude: 1 } },
    ],
    request: { ask: "GET /locations" },
    expect: { status: 200, body: { data: [{ name: "New" }, { name: "Old" }] } },
  }),
  limit("A cost has at most nine decimal places", {
    request: { ask: "PUT /tariffs/t", body: [{ name: "a", cost: "0.0000000001" }] },
    expect: { status: 400 },
  }),
];

const VERSION_ROWS: readonly Row[] = [
  ...DATES.map((date) =>
    version(`A refusal in ${date} says its version too`, {
      versions: NEWEST,
      request: { ask: "GET /batteries/{unknown}", version: date },
      expect: { status: 404, headers: { "service-version": date } },
    }),
  ),
  version("Errors without a token carry the version", {
    request: { ask: "GET /batteries", token: null },
    expect: { status: 401, headers: { "service-version": TEXT } },
  }),
  ...KINDS.map((plural) =>
    version(`Each of ${plural} names its scopes from 2024-01-01`, {
      versions: { from: "2024-01-01" },
      request: { ask: `GET /${plural}` },
      expect: {
        status: 200,
        body: {
          data: expect.arrayContaining([
            expect.objectContaining({ scopes: expect.arrayContaining([expect.stringMatching(/:read:data$/)]) }),
          ]),
        },
      },
    }),
  ),
  version("Hints to read a device are from 2023-08-01", {
    versions: USER_IN_HEADER,
    request: { ask: "POST /batteries/{battery}/refresh-hint" },
    expect: { status: 404, problem: "not-found" },
  }),
  version("/me is gone from 2023-08-01", {
    versions: USERS_IN_PATHS,
    request: { ask: "GET /me" },
    expect: { status: 404, problem: "not-found" },
  }),
  version("The description of a version has its date and its paths", {
    versions: OLDER,
    request: { ask: "GET /openapi.json", token: null },
    expect: {
      status: 200,
      body: { info: { version: expect.stringMatching(/^202[34]-/) } },
      lacks: ["paths./hem-systems"],
    },
  }),
  version("Unknown query parameters are let pass", {
    request: { ask: "GET /batteries/{battery}?colour=red" },
    expect: { status: 200, body: { id: "{battery}" } },
  }),
  version("The status of smart charging of a vehicle names its override so from 2023-05-01", {
    versions: { from: "2023-05-01" },
    request: { ask: "GET /vehicles/{vehicle}/smart-charging-status" },
    expect: { status: 200, body: { smartOverride: null }, lacks: ["externalStart"] },
  }),
  version("The status of smart charging of a vehicle calls its override an external start before 2023-05-01", {
    versions: { before: "2023-05-01" },
    request: { ask: "GET /vehicles/{vehicle}/smart-charging-status" },
    expect: { status: 200, body: { externalStart: null }, lacks: ["smartOverride"] },
  }),
];

export const ERROR_LIMIT_MORE_ROWS: readonly Row[] = [...ERROR_ROWS, ...LIMIT_ROWS, ...VERSION_ROWS];
