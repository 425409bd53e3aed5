/** Rules I8, I2.19 and S9.1. */
import type { Row } from "../row.ts";

function says(statement: string, row: Omit<Row, "part" | "statement">): Row {
  return { part: "I8", statement, ...row };
}

export const LIMIT_ROWS: readonly Row[] = [
  says("More entries on a page than there may be are read as the most", {
    request: { ask: "GET /batteries?pageSize=100000" },
    expect: { status: 200, body: { data: [{ id: "{battery}" }] } },
  }),
  says("A page of nothing is refused", {
    request: { ask: "GET /batteries?pageSize=0" },
    expect: { status: 400 },
  }),
  says("A page size that is no whole number is refused", {
    request: { ask: "GET /batteries?pageSize=1.5" },
    expect: { status: 400 },
  }),
  says("Both cursors at once are refused", {
    request: { ask: "GET /batteries?after=2024-01-01T00:00:00Z&before=2024-01-01T00:00:00Z" },
    expect: { status: 400, body: { issues: [{ code: "mutually_exclusive" }] } },
  }),
  says("A cursor that is none is refused", {
    request: { ask: "GET /batteries?after=!" },
    expect: { status: 400 },
  }),
  says("A bare timestamp is a cursor", {
    request: { ask: "GET /batteries?after=2001-01-01T00:00:00Z" },
    expect: { status: 200, body: { data: [] } },
  }),
];
