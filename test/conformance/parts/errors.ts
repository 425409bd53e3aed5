/** Rules I7 and S3. */
import { expect } from "vitest";
import type { Row } from "../row.ts";

function says(statement: string, row: Omit<Row, "part" | "statement">): Row {
  return { part: "I7", statement, ...row };
}

export const ERROR_ROWS: readonly Row[] = [
  says("A problem has type, title and detail", {
    versions: { from: "2024-10-01" },
    request: { ask: "GET /batteries/{unknown}" },
    expect: {
      status: 404,
      exactly: { type: "/problems/not-found", title: "Not Found", detail: expect.any(String) },
      headers: { "content-type": "application/problem+json" },
    },
  }),
  says("Before 2024-10-01 a problem repeats its type and detail", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /batteries/{unknown}" },
    expect: { status: 404, body: { error: "/problems/not-found", message: expect.any(String) } },
  }),
  says("What a schema refuses is listed with its place", {
    versions: { from: "2024-10-01" },
    request: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: 5 } },
    expect: {
      status: 400,
      problem: "bad-request",
      body: { issues: [{ code: "invalid_enum", path: ["operationMode"], in: "body", message: expect.any(String) }] },
    },
  }),
  says("Before 2024-10-01 a body that its schema refuses has a problem type of its own", {
    versions: { before: "2024-10-01" },
    request: { ask: "POST /batteries/{battery}/operation-mode", body: { operationMode: 5 } },
    expect: { status: 400, problem: "payload-validation-error" },
  }),
  says("Before 2024-10-01 a query that its schema refuses has a problem type of its own", {
    versions: { before: "2024-10-01" },
    request: { ask: "GET /batteries?pageSize=0" },
    expect: { status: 400, problem: "validation-error" },
  }),
  says("A body that is not JSON is 400", {
    request: {
      ask: "POST /batteries/{battery}/operation-mode",
      body: "{",
      headers: { "content-type": "application/json" },
    },
    expect: { status: 400, problem: "bad-request" },
  }),
  says("A path that does not exist is 404", {
    request: { ask: "GET /nothing" },
    expect: { status: 404, problem: "not-found" },
  }),
  says("A method that a path does not have is 405 with those it has", {
    request: { ask: "DELETE /batteries" },
    expect: { status: 405, problem: "method-not-allowed", headers: { allow: expect.stringContaining("GET") } },
  }),
  says("A problem type leads to a page", {
    request: { ask: "GET /problems/not-found", token: null },
    expect: {
      status: 200,
      headers: { "content-type": "text/html; charset=utf-8" },
      text: expect.stringContaining("Not Found"),
    },
  }),
];
