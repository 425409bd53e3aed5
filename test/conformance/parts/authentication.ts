/** Rules I5 and S9.3. */
import { expect } from "vitest";
import type { Row } from "../row.ts";

function says(statement: string, row: Omit<Row, "part" | "statement">): Row {
  return { part: "I5", statement, ...row };
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };

export const AUTHENTICATION_ROWS: readonly Row[] = [
  says("A request without a token is 401", {
    request: { ask: "GET /batteries", token: null },
    expect: {
      status: 401,
      problem: "unauthorized",
      headers: { "www-authenticate": expect.stringMatching(/^Bearer/) },
    },
  }),
  says("A request with an unknown token is 401", {
    request: { ask: "GET /batteries", token: "nonsense" },
    expect: { status: 401, problem: "unauthorized", body: { title: "Unauthorized" } },
  }),
  says("Readiness needs no token", {
    request: { ask: "GET /health/ready", token: null },
    expect: { status: 204, isEmpty: true },
  }),
  says("A client that is unknown gets no token", {
    request: {
      ask: "POST /oauth2/token",
      token: null,
      headers: { ...FORM, authorization: "Basic bm9ib2R5Om5vdGhpbmc=" },
      body: "grant_type=client_credentials",
    },
    expect: { status: 401, body: { error: "invalid_client" }, headers: { "cache-control": "no-store" } },
  }),
  says("Another grant than the client's own gets no token", {
    request: {
      ask: "POST /oauth2/token",
      token: null,
      headers: { ...FORM, authorization: "Basic bm9ib2R5Om5vdGhpbmc=" },
      body: "grant_type=password",
    },
    expect: { status: 400, body: { error: "unsupported_grant_type" } },
  }),
  says("The header that names a user is refused from 2023-08-01", {
    versions: { from: "2023-08-01" },
    request: { ask: "GET /chargers", headers: { "service-user-id": "home" } },
    expect: { status: 400, body: { issues: [{ in: "header", path: ["service-user-id"] }] } },
  }),
  says("Before 2023-08-01 what belongs to a user needs the header that names the user", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /chargers", headers: { "service-user-id": "" } },
    expect: { status: 400, body: { issues: [{ in: "header", path: ["service-user-id"] }] } },
  }),
  says("Before 2023-08-01 another user's charger is not found", {
    versions: { before: "2023-08-01" },
    request: { ask: "GET /chargers/{charger}", headers: { "service-user-id": "stranger" } },
    expect: { status: 404, problem: "not-found" },
  }),
];
