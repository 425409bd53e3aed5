import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type NodeLogOptions, nodeLog } from "../../src/platform/node/node-log.ts";
import type { Log } from "../../src/platform/ports.ts";
import { DeviceError } from "../../src/sdk/device-error.ts";

/** What a log writes to its descriptor; read at once, as nothing may be under way when a call returns. */
function written(options: Omit<NodeLogOptions, "fd">, work: (log: Log) => void): string {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-log-"));
  const fd = openSync(join(folder, "log"), "w+");
  try {
    work(nodeLog({ ...options, fd }));
    return readFileSync(join(folder, "log"), "utf8");
  } finally {
    closeSync(fd);
    rmSync(folder, { recursive: true });
  }
}
const JSON_LOG = { level: "debug", isPretty: false } as const;

test("a line is one JSON object with level, time, fields and text", () => {
  const line = JSON.parse(written(JSON_LOG, (log) => log.warn({ deviceId: "meter" }, "device unreachable")));
  expect(line).toEqual({
    level: "warn",
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    deviceId: "meter",
    msg: "device unreachable",
  });
});

test("an error stands under err with its kind, cause and stack", () => {
  const err = new DeviceError("unreachable", "connect host:502: refused", { cause: new Error("ECONNREFUSED") });
  const line = JSON.parse(written(JSON_LOG, (log) => log.error({ err }, "no device")));
  expect(line.err).toMatchObject({ type: "DeviceError", kind: "unreachable" });
  expect(line.err.message).toContain("ECONNREFUSED");
  expect(line.err.stack).toContain("node-log.test.ts");
});

test("secrets do not reach the log: as fields, in a child's fields, on an error", () => {
  const err = Object.assign(new Error("no"), { headers: { Authorization: "canary-1" } });
  const text = written(JSON_LOG, (log) => {
    log.info({ request: { headers: { authorization: "canary-2" } } }, "request");
    log.child({ client_secret: "canary-3" }).info({}, "client");
    log.error({ err }, "failed");
  });
  expect(text).not.toContain("canary");
  expect(text.match(/\[redacted\]/g)).toHaveLength(3);
});

test("lines below the level are not written", () => {
  const text = written({ level: "info", isPretty: false }, (log) => log.debug({}, "traffic"));
  expect(text).toBe("");
});

test("on a terminal a line is for people", () => {
  const text = written({ level: "info", isPretty: true }, (log) => log.info({ deviceId: "meter" }, "device connected"));
  expect(text).toContain("INFO");
  expect(text).toContain("device connected");
  expect(text).toContain("meter");
  expect(text.trimEnd()).not.toContain("\n");
});
