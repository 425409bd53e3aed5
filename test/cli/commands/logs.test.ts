import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, test } from "vitest";
import { logs } from "../../../src/cli/house/logs.ts";
import { controlSocketPath } from "../../../src/cli/state-folder.ts";
import { type ControlDependencies, controlServer } from "../../../src/cli-socket/control-server.ts";
import { TestLog } from "../../../src/testing/index.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hg-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface Line {
  readonly at: string;
  readonly level: string;
  readonly text: string;
  readonly fields: object;
}

const line = (second: number, text: string): Line => ({
  at: `2026-06-21T10:15:0${second}.000Z`,
  level: "info",
  text,
  fields: { deviceId: "meter" },
});

/** A gateway whose log has these lines, oldest first. */
async function openSocket(lines: readonly Line[]) {
  const asked: string[] = [];
  const dependencies = {
    log: new TestLog(),
    engine: { devices: () => [], readiness: () => ({ isReady: true, failures: [] }) },
    findings: {
      checks: { list: () => [] },
      losses: { list: () => [] },
      siteConnections: { notes: () => [] },
      forecasts: { finding: () => null },
      backups: null,
    },
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    version: "1.2.3",
    address: null,
    callApi: async ({ method, path }: { method: string; path: string }) => {
      asked.push(`${method} ${path}`);
      const body = Readable.from([Buffer.from(JSON.stringify(lines.toReversed()))]);
      return { status: 200, headers: { "content-type": "application/json" }, body };
    },
  };
  const app = controlServer(dependencies as unknown as ControlDependencies);
  await app.listen({ path: controlSocketPath(folder) });
  return { asked, [Symbol.asyncDispose]: () => app.close() };
}

test("hemgate logs --follow prints each line once, oldest first, as lines come and old ones go", async () => {
  const kept = [line(1, "first"), line(2, "second")];
  await using gateway = await openSocket(kept);
  const printed: string[] = [];
  const stop = new AbortController();
  const later = [
    () => kept.push(line(3, "third")),
    () => undefined,
    // The gateway keeps a limited number of lines.
    () => kept.splice(0, kept.length, line(4, "fourth"), line(5, "fifth")),
    () => stop.abort(),
  ];
  const clock = { sleep: async () => void later.shift()?.() };
  const options = { folder, isJson: false, isFollow: true, level: "warn", device: "meter" };
  const context = { out: (text: string) => void printed.push(text), err: () => undefined, stop: stop.signal };
  await logs(options, context, clock);
  expect(printed.map((text) => /INFO {2}(\w+) deviceId=meter$/.exec(text)?.[1])).toEqual([
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
  ]);
  expect(new Set(gateway.asked)).toEqual(new Set(["GET /local/logs?level=warn&deviceId=meter"]));
});
