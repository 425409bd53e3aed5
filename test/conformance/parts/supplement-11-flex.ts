/** Rules S11.7 to S11.9: events of the grid, the power limit of a location, charging on surplus solar power. */
import { expect } from "vitest";
import { LOCATION } from "../given.ts";
import type { Ask, Row } from "../row.ts";
import { NEWEST, says } from "../says.ts";
import { HOOK } from "./supplement-1-webhooks.ts";

const event = says("S11.7");
const limit = says("S11.8");
const solar = says("S11.9");

// The house's clock begins at midnight.
const LATER = { locationId: null, start: "2026-06-21T10:00:00Z", end: "2026-06-21T11:00:00Z" };
const NOW = { locationId: null, start: "2026-06-20T23:00:00Z", end: "2026-06-21T00:05:00Z" };
const SHED: Ask = { ask: "POST /flex/events", body: { ...NOW, kind: "SHED" }, keep: { event: "id" } };
const given = { versions: NEWEST, house: "operator" } as const;

const WRONG_EVENTS = [
  ["a limit without its value", { ...LATER, kind: "LIMIT_IMPORT" }, "limitKw"],
  ["an end before its start", { ...LATER, end: "2026-06-21T09:00:00Z", kind: "SHED" }, "end"],
  ["an end in the past", { ...NOW, end: "2026-06-20T23:30:00Z", kind: "SHED" }, "end"],
  ["an unknown kind", { ...LATER, kind: "BOOST" }, "kind"],
  ["a negative limit", { ...LATER, kind: "LIMIT_EXPORT", limitKw: -1 }, "limitKw"],
] as const;

const EVENTS: readonly Row[] = [
  event("An event is announced, with the devices that take part", {
    house: "operator",
    versions: ["2024-10-01", "2023-08-01"],
    request: { ask: "POST /flex/events", body: { ...LATER, kind: "LIMIT_IMPORT", limitKw: 5, priority: 1 } },
    expect: {
      status: 200,
      body: {
        id: expect.any(String),
        state: "SCHEDULED",
        kind: "LIMIT_IMPORT",
        limitKw: 5,
        price: null,
        priority: 1,
        participants: expect.arrayContaining([expect.objectContaining({ assetType: "charger", state: "SCHEDULED" })]),
      },
    },
  }),
  event("An event that has begun is active at once, and its limit is one of the house", {
    ...given,
    request: SHED,
    expect: { status: 200, body: { state: "ACTIVE", limitKw: null } },
    afterwards: [
      {
        ask: "GET /local/energy/limits",
        expect: { status: 200, body: { active: [{ direction: "import", scope: "controllable", limit: 0 }] } },
      },
    ],
  }),
  event("A limit of the import or of the feed-in is one of the whole connection", {
    ...given,
    given: [{ ask: "POST /flex/events", body: { ...NOW, kind: "LIMIT_EXPORT", limitKw: 3 } }],
    request: { ask: "GET /local/energy/limits" },
    expect: { status: 200, body: { active: [{ direction: "export", scope: "connection", limit: 3 }] } },
  }),
  event("An event ends by itself, and its limit with it", {
    ...given,
    given: [SHED],
    request: { ask: "GET /flex/events/{event}", after: 310 },
    expect: { status: 200, body: { id: "{event}", state: "COMPLETED" } },
    afterwards: [
      { ask: "GET /local/energy/limits", expect: { status: 200, exactly: { active: [], sources: [] } } },
      {
        ask: "GET /local/energy/limitations",
        expect: { status: 200, body: { data: [{ limit: 0, endReason: "expired" }] } },
      },
    ],
  }),
  event("An event is taken back, once", {
    ...given,
    given: [SHED],
    request: { ask: "DELETE /flex/events/{event}" },
    expect: { status: 200, body: { id: "{event}", state: "CANCELLED" } },
    afterwards: [
      { ask: "GET /local/energy/limits", expect: { status: 200, body: { active: [] } } },
      { ask: "DELETE /flex/events/{event}", expect: { status: 409, problem: "conflict" } },
    ],
  }),
  event("Events are listed", {
    ...given,
    given: [SHED],
    request: { ask: "GET /flex/events" },
    expect: { status: 200, body: { data: [{ id: "{event}" }], pagination: { after: null } } },
  }),
  event("What becomes of an event is sent to a webhook that asks for it", {
    ...given,
    given: [{ ask: "POST /webhooks", body: { ...HOOK, events: ["user:flex-event:updated"] } }, LOCATION],
    request: { ask: "POST /flex/events", body: { ...NOW, locationId: "{location}", kind: "SHED" } },
    expect: { status: 200 },
    afterwards: [
      {
        after: 5,
        told: { event: "user:flex-event:updated", user: { id: "{user}" }, flexEvent: { state: "ACTIVE" } },
      },
    ],
  }),
  event("An event is announced by a client with the scope for limits only", {
    versions: NEWEST,
    request: { ask: "POST /flex/events", body: { ...LATER, kind: "SHED" } },
    expect: { status: 403, problem: "forbidden" },
  }),
  event("An event that is not there is not found", {
    ...given,
    request: { ask: "GET /flex/events/{unknown}" },
    expect: { status: 404, problem: "not-found" },
  }),
  event("An event that is not there cannot be taken back", {
    ...given,
    request: { ask: "DELETE /flex/events/{unknown}" },
    expect: { status: 404, problem: "not-found" },
  }),
  event("An event at a location that is not there is refused", {
    ...given,
    request: { ask: "POST /flex/events", body: { ...LATER, locationId: "{unknown}", kind: "SHED" } },
    expect: { status: 404, problem: "not-found" },
  }),
  ...WRONG_EVENTS.map(([what, body, field]) =>
    event(`An event with ${what} is refused`, {
      ...given,
      request: { ask: "POST /flex/events", body },
      expect: { status: 400, body: { issues: [{ path: [field], in: "body" }] } },
    }),
  ),
];

const URL = "/locations/{location}/power-limit";
const ELSEWHERE: Ask = {
  ask: "POST /users/{user}/locations",
  version: "2024-10-01",
  body: { name: "Work", latitude: 10, longitude: 10, timezoneName: "UTC" },
  keep: { work: "id" },
};

const LIMITS: readonly Row[] = [
  limit("A location has a power limit: that of the grid connection", {
    versions: ["2024-10-01", "2023-08-01"],
    given: [LOCATION],
    request: { ask: `GET ${URL}` },
    expect: {
      status: 200,
      body: {
        locationId: "{location}",
        maxImportKw: null,
        maxPhaseCurrent: null,
        appliedImportKw: null,
        importKw: expect.any(Number),
        phases: 3,
        origins: { maxImportKw: "default" },
      },
    },
  }),
  limit("The limit that is set is the one of the site, and what is left out stays", {
    versions: NEWEST,
    given: [LOCATION, { ask: `PUT ${URL}`, body: { maxPhaseCurrent: 35 } }],
    request: { ask: `PUT ${URL}`, body: { maxImportKw: 11 } },
    expect: { status: 200, body: { maxImportKw: 11, maxPhaseCurrent: 35, appliedImportKw: 11 } },
    afterwards: [
      { ask: "GET /local/site", expect: { status: 200, body: { connection: { importKw: 11, fuseA: 35 } } } },
    ],
  }),
  limit("A lower limit of the grid operator applies", {
    ...given,
    given: [
      LOCATION,
      { ask: `PUT ${URL}`, body: { maxImportKw: 11 } },
      { ask: "POST /flex/events", body: { ...NOW, kind: "LIMIT_IMPORT", limitKw: 4.2 } },
    ],
    request: { ask: `GET ${URL}` },
    expect: { status: 200, body: { maxImportKw: 11, appliedImportKw: 4.2 } },
  }),
  limit("A limit of null is none, and so is one that is deleted", {
    versions: NEWEST,
    given: [LOCATION, { ask: `PUT ${URL}`, body: { maxImportKw: 11, maxPhaseCurrent: 35 } }],
    request: { ask: `PUT ${URL}`, body: { maxImportKw: null } },
    expect: { status: 200, body: { maxImportKw: null, maxPhaseCurrent: 35 } },
    afterwards: [
      { ask: `DELETE ${URL}`, expect: { status: 204, isEmpty: true } },
      { ask: `GET ${URL}`, expect: { status: 200, body: { maxPhaseCurrent: null } } },
    ],
  }),
  limit("A command beyond the limit is not refused", {
    versions: NEWEST,
    given: [LOCATION, { ask: `PUT ${URL}`, body: { maxPhaseCurrent: 10 } }],
    request: { ask: "POST /chargers/{charger}/max-current", body: { maxCurrent: 20 } },
    expect: { status: 200, body: { targetState: { maxCurrent: 20 } } },
  }),
  limit("A location that is not there has no limit", {
    versions: NEWEST,
    request: { ask: "GET /locations/{unknown}/power-limit" },
    expect: { status: 404, problem: "not-found" },
  }),
  limit("A location without the grid meter has no limit", {
    versions: NEWEST,
    given: [LOCATION, ELSEWHERE, { device: "meter", after: 5 }],
    request: { ask: "GET /locations/{work}/power-limit" },
    expect: { status: 409, problem: "conflict" },
  }),
  ...[{ maxImportKw: 0 }, { maxImportKw: "11" }, { maxPhaseCurrent: -1 }, { fuse: 35 }].map((body) =>
    limit(`A limit is a positive number or null, and nothing more: ${JSON.stringify(body)}`, {
      versions: NEWEST,
      given: [LOCATION],
      request: { ask: `PUT ${URL}`, body },
      expect: { status: 400, body: { issues: [{ in: "body" }] } },
    }),
  ),
];

const POLICY = "/chargers/{charger}/solar-policy";
const FULL = { isEnabled: true, minCurrent: 8, startExportKw: 1.5, stopImportKw: 0.2, delaySeconds: 60 };
const modeIs = (mode: string) =>
  ({
    ask: "GET /local/energy/devices/{charger}",
    expect: { status: 200, body: { policy: { mode } } },
  }) as const;

const SOLAR: readonly Row[] = [
  solar("A charger has a policy for surplus solar power", {
    versions: ["2024-10-01", "2023-04-01"],
    request: { ask: `GET ${POLICY}` },
    expect: {
      status: 200,
      exactly: { isEnabled: false, minCurrent: null, startExportKw: null, stopImportKw: null, delaySeconds: null },
    },
  }),
  solar("The policy that is enabled is the energy mode SURPLUS", {
    versions: NEWEST,
    request: { ask: `PUT ${POLICY}`, body: FULL },
    expect: { status: 200, exactly: FULL },
    afterwards: [{ ask: `GET ${POLICY}`, expect: { status: 200, exactly: FULL } }, modeIs("SURPLUS")],
  }),
  solar("What is left out stays, and null is the gateway's own rule", {
    versions: NEWEST,
    given: [{ ask: `PUT ${POLICY}`, body: FULL }],
    request: { ask: `PUT ${POLICY}`, body: { isEnabled: false, stopImportKw: null } },
    expect: { status: 200, exactly: { ...FULL, isEnabled: false, stopImportKw: null } },
    afterwards: [{ ask: "GET /local/energy/devices/{charger}", expect: { status: 200, body: { policy: null } } }],
  }),
  solar("The mode MIN_SURPLUS is an enabled policy, and stays", {
    versions: NEWEST,
    given: [{ ask: "PUT /local/energy/devices/{charger}", body: { mode: "MIN_SURPLUS" } }],
    request: { ask: `PUT ${POLICY}`, body: { isEnabled: true } },
    expect: { status: 200, body: { isEnabled: true } },
    afterwards: [modeIs("MIN_SURPLUS")],
  }),
  solar("A policy that is disabled ends no other mode", {
    versions: NEWEST,
    given: [{ ask: "PUT /local/energy/devices/{charger}", body: { mode: "FAST" } }],
    request: { ask: `PUT ${POLICY}`, body: { isEnabled: false } },
    expect: { status: 200, body: { isEnabled: false } },
    afterwards: [modeIs("FAST")],
  }),
  solar("A charger that is not there has no policy", {
    versions: NEWEST,
    request: { ask: "GET /chargers/{unknown}/solar-policy" },
    expect: { status: 404, problem: "not-found" },
  }),
  solar("A policy needs the scope to control charging", {
    versions: NEWEST,
    house: "readOnly",
    request: { ask: `PUT ${POLICY}`, body: { isEnabled: true } },
    expect: { status: 403, problem: "forbidden" },
  }),
  ...[{}, { isEnabled: true, minCurrent: 5 }, { isEnabled: true, delaySeconds: -1 }, { isEnabled: true, sun: 1 }].map(
    (body) =>
      solar(`A policy is refused that is not one: ${JSON.stringify(body)}`, {
        versions: NEWEST,
        request: { ask: `PUT ${POLICY}`, body },
        expect: { status: 400, body: { issues: [{ in: "body" }] } },
      }),
  ),
];

export const FLEX_ROWS: readonly Row[] = [...EVENTS, ...LIMITS, ...SOLAR];
