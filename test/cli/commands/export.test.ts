import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { EXIT } from "../../../src/cli/exit-code.ts";
import { runCli } from "../../../src/cli/program.ts";
import { controlSocketPath } from "../../../src/cli/state-folder.ts";
import { type ControlDependencies, controlServer } from "../../../src/cli-socket/control-server.ts";
import type { ExportQuery } from "../../../src/domain/export/export-query.ts";
import { problem } from "../../../src/domain/problem.ts";
import { TestLog } from "../../../src/testing/index.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hg-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A gateway's socket that exports two pieces, breaks off where the devices are `broken`, and knows no device `nobody`. */
async function openSocket() {
  const asked: ExportQuery[] = [];
  const dependencies: Pick<ControlDependencies, "exports" | "log" | "clock"> = {
    log: new TestLog(),
    clock: { nowMs: () => 0, monotonicMs: () => 0 },
    exports: {
      open: async (query) => {
        asked.push(query);
        if (query.devices === "nobody") throw problem("not-found", 'There is no device "nobody".');
        const pieces = async function* () {
          yield Buffer.from("time,device\r\n");
          if (query.devices === "broken") throw new Error("the disk is gone");
          yield Buffer.from("2026-03-01T00:00:00+01:00,meter\r\n");
        };
        return { mediaType: "text/csv", name: "house.csv", bytes: pieces() };
      },
    },
  };
  // Nothing else is asked.
  const app = controlServer(dependencies as ControlDependencies);
  await app.listen({ path: controlSocketPath(folder) });
  return { asked, [Symbol.asyncDispose]: () => app.close() };
}

async function say(...words: readonly string[]): Promise<{ code: number; text: string }> {
  const lines: string[] = [];
  const code = await runCli(["export", ...words, "--state", folder], {
    environment: {},
    home: folder,
    workingFolder: folder,
    pid: 1,
    isTerminal: false,
    stop: new AbortController().signal,
    out: (line) => void lines.push(line),
    err: (line) => void lines.push(line),
  });
  return { code, text: lines.join("\n") };
}

describe("hemgate export", () => {
  test("writes what the running gateway exports, in the format of the file's ending", async () => {
    await using socket = await openSocket();
    const made = await say("house.csv", "--from", "2026-03-01", "--resolution", "quarter-hour", "--devices", "meter");
    expect(made).toStrictEqual({ code: EXIT.ok, text: `${join(folder, "house.csv")}: 46 bytes` });
    expect(readFileSync(join(folder, "house.csv"), "utf8")).toBe("time,device\r\n2026-03-01T00:00:00+01:00,meter\r\n");
    await say("house.parquet", "--from", "2026-03-01T00:00:00Z", "--to", "2026-04-01", "--timezone", "UTC");
    expect(socket.asked).toStrictEqual([
      { from: "2026-03-01", resolution: "QUARTER_HOUR", devices: "meter", format: "csv" },
      { from: "2026-03-01T00:00:00Z", to: "2026-04-01", timezone: "UTC", resolution: "HOUR", format: "parquet" },
    ]);
  });

  test("says what is wrong, and leaves no part of a file behind", async () => {
    await using socket = await openSocket();
    const from = ["--from", "2026-03-01"] as const;
    expect(await say("house.txt", ...from)).toMatchObject({
      code: EXIT.usage,
      text: expect.stringMatching(/\.csv or \.parquet/),
    });
    expect(await say("house.csv", "--from", "yesterday")).toMatchObject({
      code: EXIT.usage,
      text: expect.stringMatching(/--from: expected a date/),
    });
    expect(await say("house.csv", ...from, "--resolution", "week")).toMatchObject({
      code: EXIT.usage,
      text: expect.stringMatching(/quarter-hour/),
    });
    expect(socket.asked).toStrictEqual([]);
    expect(await say("house.csv", ...from, "--devices", "nobody")).toMatchObject({
      code: EXIT.failed,
      text: expect.stringMatching(/There is no device "nobody"/),
    });
    expect(await say("house.csv", ...from, "--devices", "broken")).toMatchObject({
      code: EXIT.failed,
      text: expect.stringMatching(/stopped the export before its end/),
    });
    expect(readdirSync(folder).filter((name) => name.startsWith("house"))).toStrictEqual([]);
  });

  test("overwrites no file", async () => {
    await using _ = await openSocket();
    await say("house.csv", "--from", "2026-03-01");
    const again = await say("house.csv", "--from", "2026-03-01");
    expect(again).toMatchObject({ code: EXIT.unavailable, text: expect.stringMatching(/house\.csv exists already/) });
  });

  test("says that no gateway runs", async () => {
    expect(await say("house.csv", "--from", "2026-03-01")).toMatchObject({ code: EXIT.notRunning });
  });
});
