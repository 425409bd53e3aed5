/** Rule I5: tokens, scopes and users in the header. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { about, LISTENING, NEWEST, TEXT, USER_IN_HEADER, USERS_IN_PATHS } from "../words.ts";

const says = about("I5");

const NO_SCOPE = { status: 403, problem: "forbidden", body: { detail: expect.stringMatching(/:control:/) } };
const PATHS = [
  "GET /chargers",
  "GET /hvacs",
  "GET /inverters",
  "GET /vehicles",
  "GET /schedules",
  "GET /charging-locations",
  "GET /statistics/production?startDate=2026-06-20T00:00:00Z",
];
const OPEN_TO_NOBODY = [
  "GET /users",
  "GET /chargers",
  "GET /vehicles/{vehicle}",
  "GET /webhooks",
  "GET /tariffs/t",
  "GET /interventions",
  "GET /health/chargers",
  "GET /schedules/{unknown}/status",
];

export const AUTHENTICATION_MORE_ROWS: readonly Row[] = [
  ...OPEN_TO_NOBODY.map((ask) =>
    says(`${ask} needs a token`, {
      request: { ask, token: null },
      expect: { status: 401, problem: "unauthorized", body: { title: "Unauthorized" } },
    }),
  ),
  says("A token that has no scheme is 401", {
    request: { ask: "GET /users", token: null, headers: { authorization: "nonsense" } },
    expect: { status: 401, problem: "unauthorized" },
  }),
  says("The client's own credentials are no token", {
    request: { ask: "GET /users", token: null, headers: { authorization: "Basic bm9ib2R5Om5vdGhpbmc=" } },
    expect: { status: 401, problem: "unauthorized" },
  }),
  ...PATHS.map((ask) =>
    says(`Before 2023-08-01 ${ask.split("?")[0]} needs the header that names the user`, {
      versions: USER_IN_HEADER,
      request: { ask, headers: { "service-user-id": "" } },
      expect: { status: 400, body: { issues: [{ in: "header", path: ["service-user-id"] }] } },
    }),
  ),
  ...["GET /users", "GET /batteries", "GET /webhooks", "GET /health/chargers"].map((ask) =>
    says(`${ask} is refused with the header that names a user, from 2023-08-01`, {
      versions: USERS_IN_PATHS,
      request: { ask, headers: { "service-user-id": "home" } },
      expect: { status: 400, body: { issues: [{ in: "header", path: ["service-user-id"] }] } },
    }),
  ),
  says("What belongs to the client needs no user before 2023-08-01", {
    versions: USER_IN_HEADER,
    given: [LISTENING],
    request: { ask: "GET /webhooks", headers: { "service-user-id": "" } },
    expect: { status: 200, body: { data: [{ id: "{webhook}" }] } },
  }),
  says("One token is for all users of the client", {
    request: { ask: "GET /meters/{neighbourMeter}" },
    expect: { status: 200, body: { userId: "{neighbour}" } },
  }),
  ...(
    [
      ["battery", "POST /batteries/{battery}/operation-mode", { operationMode: "IMPORT_FOCUS" }],
      ["charger", "POST /chargers/{charger}/charging", { action: "START" }],
      ["charger, of its current", "POST /chargers/{charger}/max-current", { maxCurrent: 10 }],
      ["hvac", "POST /hvacs/{hvac}/permanent-hold", { mode: "OFF" }],
      ["vehicle", "POST /vehicles/{vehicle}/charging", { action: "START" }],
    ] as const
  ).map(([what, ask, body]) =>
    says(`Without the control scope there is no command to a ${what}`, {
      house: "readOnly",
      request: { ask, body },
      expect: NO_SCOPE,
    }),
  ),
  says("Without the control scope a hvac cannot be let follow its schedule", {
    house: "readOnly",
    request: { ask: "POST /hvacs/{hvac}/follow-schedule" },
    expect: NO_SCOPE,
  }),
  says("A device carries the scopes that were granted", {
    versions: { from: "2024-01-01" },
    house: "readOnly",
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { scopes: ["vehicle:read:data"] } },
  }),
  says("Without the location scope a device does not tell where it is", {
    house: "readOnly",
    request: { ask: "GET /vehicles/{vehicle}" },
    expect: { status: 200, body: { location: { longitude: null, latitude: null } } },
  }),
  says("A webhook may be given a header to authenticate with, whose value is shown to nobody", {
    versions: NEWEST,
    request: {
      ask: "POST /webhooks",
      body: {
        url: "https://hooks.example/in",
        secret: "example-secret",
        authentication: { headerName: "x-api-key", headerValue: "hush hush" },
      },
    },
    expect: {
      status: 200,
      body: { id: TEXT, authentication: { headerName: "x-api-key" } },
      text: expect.not.stringContaining("hush hush"),
      lacks: ["authentication.headerValue", "secret"],
    },
  }),
];
