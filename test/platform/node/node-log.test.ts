import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type NodeLogOptions, nodeLog } from "../../../src/platform/node/node-log.ts";
import type { Log } from "../../../src/platform/ports/ports.ts";
import { DeviceError } from "../../../src/points/device-error.ts";

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

test("a warning says of an error its kind, sentence and code; the stack and a library's words are a line of level debug", () => {
  const cause = Object.assign(new Error("connect ECONNREFUSED 192.0.2.1:502"), { code: "ECONNREFUSED" });
  const err = new DeviceError("unreachable", "connect host:502: nothing accepts connections", { cause });
  const [whole = "", line = "", ...more] = written(JSON_LOG, (log) => log.error({ err }, "no device"))
    .trimEnd()
    .split("\n");
  expect(JSON.parse(line).err).toEqual({
    type: "DeviceError",
    message: "connect host:502: nothing accepts connections",
    kind: "unreachable",
    code: "ECONNREFUSED",
  });
  expect(JSON.parse(whole)).toMatchObject({ level: "debug", msg: "no device: the whole error" });
  expect(JSON.parse(whole).err.stack).toContain("node-log.test.ts");
  expect(more).toEqual([]);
});

test("a warning about a bug says where it is, and quotes nothing of what was read", () => {
  const text = written({ level: "info", isPretty: false }, (log) => {
    try {
      JSON.parse("hunter2");
    } catch (err) {
      log.warn({ err }, "failed");
    }
  });
  const { err } = JSON.parse(text);
  expect(err.message).toBe("an internal error (SyntaxError)");
  expect(err.at).toContain("node-log.test.ts");
  expect(text).not.toContain("hunter2");
});

test("secrets do not reach the log: as fields, in a child's fields, on an error", () => {
  const err = Object.assign(new Error("no"), { headers: { Authorization: "canary-1" } });
  const text = written(JSON_LOG, (log) => {
    log.info({ request: { headers: { authorization: "canary-2" } } }, "request");
    log.child({ client_secret: "canary-3" }).info({}, "client");
    log.error({ err }, "failed");
  });
  expect(text).not.toContain("canary");
  // The error is whole in its line of level debug.
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
