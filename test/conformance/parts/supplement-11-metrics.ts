/** Rule S11.4: the figures of the gateway. */
import { expect } from "vitest";
import type { Row } from "../row.ts";
import { says } from "../says.ts";

const row = says("S11.4");

export const METRICS_ROWS: readonly Row[] = [
  row("The figures of the gateway are Prometheus text", {
    request: { ask: "GET /metrics" },
    expect: {
      status: 200,
      headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
      text: expect.stringMatching(/^# TYPE (hemgate_\w+) gauge\n\1(\{[^}]*\})? \d/m),
    },
  }),
  row("The figures of the gateway are for clients only", {
    request: { ask: "GET /metrics", token: null },
    expect: { status: 401, problem: "unauthorized" },
  }),
];
