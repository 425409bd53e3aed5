import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bannedNames } from "./banned-names.ts";
import { circles, loadedFiles } from "./circles.ts";
import { durationProblems } from "./durations.ts";
import { allowedArrows, importProblems, usedArrows } from "./import-rule.ts";
import { sizeProblems } from "./size-limits.ts";
import type { Source } from "./syntax.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** What the rules find, file by file: no syntax tree outlives its file. */
function productProblems() {
  const paths = globSync("{src,adapters,firmware-bridges}/**/*.ts", { cwd: ROOT }).toSorted();
  return paths.map((path) => {
    const source: Source = { path, text: readFileSync(`${ROOT}${path}`, "utf8") };
    return {
      path,
      imports: importProblems(source),
      arrows: usedArrows(source),
      loaded: loadedFiles(source),
      names: bannedNames(source),
      sizes: sizeProblems(source),
      durations: durationProblems(source),
    };
  });
}

describe("the code base", () => {
  const files = productProblems();
  const twins = globSync("test/twins/**/*.ts", { cwd: ROOT })
    .filter((path) => !path.endsWith(".test.ts"))
    .flatMap((path) => bannedNames({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));

  test("is found", () => {
    expect(files.map(({ path }) => path)).toContain("src/platform/ports/ports.ts");
  });

  test("imports only what each zone may", () => {
    expect(files.flatMap(({ imports }) => imports)).toEqual([]);
  });

  test("imports something along each arrow of the import rule", () => {
    const used = new Set(files.flatMap(({ arrows }) => arrows));
    expect(allowedArrows().filter((arrow) => !used.has(arrow))).toEqual([]);
  });

  test("has no files that load each other in a circle", () => {
    expect(circles(new Map(files.map(({ path, loaded }) => [path, loaded])))).toEqual([]);
  });

  test("touches time, chance and I/O through the ports only, and keeps no state in modules", () => {
    expect(files.flatMap(({ names }) => names)).toEqual([]);
  });

  test("has twins of devices that live by the simulated clock", () => {
    expect(twins).toEqual([]);
  });

  test("has no file and no function that is too long", () => {
    expect(files.flatMap(({ sizes }) => sizes)).toEqual([]);
  });

  test("writes durations with the constants of duration.ts", () => {
    expect(files.flatMap(({ durations }) => durations)).toEqual([]);
  });
});

describe("the import rule refuses", () => {
  test.each([
    [
      "src/domain/a.ts",
      'import { x } from "../engine/supervisor.ts";',
      "src/domain may not import src/engine/supervisor.ts",
    ],
    [
      "src/domain/a.ts",
      'import type { X } from "../platform/ports/ports.ts";',
      "src/domain may not import src/platform/ports/ports.ts",
    ],
    ["src/api/a.ts", 'import { x } from "../engine/supervisor.ts";', "src/api may not import src/engine/supervisor.ts"],
    ["src/engine/a.ts", 'export * from "../api/server.ts";', "src/engine may not import src/api/server.ts"],
    [
      "src/engine/a.ts",
      'const x = await import("../../adapters/p1/p1.ts");',
      "src/engine may not import adapters/p1/p1.ts",
    ],
    ["src/engine/a.ts", 'import fastify from "fastify";', '"fastify" may not be imported here'],
    [
      "src/gateway.ts",
      'import { x } from "./platform/node/net.ts";',
      "src/gateway.ts may not import src/platform/node/net.ts",
    ],
    ["src/sdk/a.ts", 'import { x } from "../platform/node/net.ts";', "src/sdk may not import src/platform/node/net.ts"],
    ["adapters/p1/a.ts", 'import { x } from "../../src/sdk/index.ts";', "adapters may not import src/sdk/index.ts"],
    [
      "adapters/p1/a.ts",
      'import { x } from "../modbus/poller.ts";',
      "adapters may not import adapters/modbus/poller.ts",
    ],
    ["adapters/p1/a.ts", 'import { x } from "hemgate/testing";', '"hemgate/testing" has no place in the import rule'],
    ["adapters/p1/a.ts", 'import { x } from "left-pad";', '"left-pad" has no place in the import rule'],
    ["src/domain/a.ts", 'type X = import("../api/server.ts").X;', "src/domain may not import src/api/server.ts"],
    ["src/domain/a.ts", 'import { x } from "./battery";', '"./battery" lacks its ending .ts'],
    ["src/domain/a.ts", "const x = await import(name);", "an import must name its module"],
    ["src/helpers/a.ts", 'import { x } from "./b.ts";', "this place is in no zone of the import rule"],
  ])("%s: %s", (path, text, problem) => {
    expect(importProblems({ path, text })).toEqual([`${path}:1: ${problem}`]);
  });

  test.each([
    ["src/domain/a.ts", 'import { x } from "../points/points.ts";'],
    ["src/cli/a.ts", 'import { x } from "../../adapters/modbus/modbus-adapter.ts";'],
    ["adapters/modbus/sunspec/a.ts", 'import { x } from "../register-point.ts";'],
    ["adapters/p1/a.ts", 'import { x } from "hemgate/sdk";'],
  ])("but not %s: %s", (path, text) => {
    expect(importProblems({ path, text })).toEqual([]);
  });
});

describe("a circle", () => {
  test("is found where files load each other, at first hand or along others", () => {
    const files = { a: ["b"], b: ["c", "d"], c: ["a"], d: ["d"], e: ["a"] };
    expect(circles(new Map(Object.entries(files)))).toEqual(["a → b → c → a", "d → d"]);
  });

  test.each([
    ['import { x } from "./b.ts";', ["src/domain/b.ts"]],
    ['export * from "../points/points.ts";', ["src/points/points.ts"]],
    ['import { x } from "hemgate/sdk";', ["src/sdk/index.ts"]],
    ['import type { X } from "./b.ts";', []],
    ['export type { X } from "./b.ts";', []],
    ['const x = await import("./b.ts");', []],
    ['type X = import("./b.ts").X;', []],
  ])("counts what is loaded at once: %s", (text, loaded) => {
    expect(loadedFiles({ path: "src/domain/a.ts", text })).toEqual(loaded);
  });
});

describe("the ban refuses", () => {
  test.each([
    ["const t = Date.now();", "Date.now is banned here"],
    ["const t = new Date();", "Date without an instant is banned here"],
    ["const t = Date();", "Date without an instant is banned here"],
    ["setTimeout(run, 5);", "setTimeout is banned here"],
    ["globalThis.setInterval(run, 5);", "setInterval is banned here"],
    ["const later = setImmediate;", "setImmediate is banned here"],
    ["const f = { setTimeout };", "setTimeout is banned here"],
    ["const x = Math.random();", "Math.random is banned here"],
    ['const x = Math["random"]();', "Math.random is banned here"],
    ["const id = crypto.randomUUID();", "randomUUID is banned here"],
    ["await fetch(url);", "fetch is banned here"],
    ["await globalThis.fetch(url);", "fetch is banned here"],
    ["const s = AbortSignal.timeout(5);", "AbortSignal.timeout is banned here"],
    ["const t = performance.now();", "performance.now is banned here"],
    ["const home = process.env.HOME;", "process is banned here"],
    ['import { readFileSync } from "node:fs";', "node:fs is banned here"],
    ['import net from "node:net";', "node:net is banned here"],
    ['import { randomBytes } from "node:crypto";', "randomBytes of node:crypto is banned here"],
    ["const key = createECDH(curve).generateKeys();", "generateKeys is banned here"],
    ['import * as crypto from "node:crypto";', "* of node:crypto is banned here"],
    ["let count = 0;", "a top-level let is banned here"],
    ["export default 5;", "a default export is banned here"],
  ])("%s", (text, problem) => {
    expect(bannedNames({ path: "src/engine/a.ts", text })).toContain(`src/engine/a.ts:1: ${problem}`);
  });

  test.each([
    ["src/engine/a.ts", "const at = new Date(ms).toISOString();"],
    ["src/engine/a.ts", "const answer = await port.fetch(url);"],
    ["src/engine/a.ts", 'import { createHash } from "node:crypto";'],
    ["src/engine/a.ts", "// setTimeout and Date.now() are words in a comment\nconst text = `fetch(5)`;"],
    ["src/platform/node/net.ts", 'import net from "node:net"; setTimeout(run, 5);'],
    ["src/cli/a.ts", "const home = process.env.HOME;"],
    ["src/testing/a.ts", "setImmediate(run);"],
    ["src/testing/a.ts", "const process = new SimProcess(); process.kill();"],
  ])("but not in %s: %s", (path, text) => {
    expect(bannedNames({ path, text })).toEqual([]);
  });
});

describe("the size limits refuse", () => {
  const lines = (count: number) => Array.from({ length: count }, (_unused, index) => `  use(${index});`).join("\n");

  test("a file of more than 400 lines, but not a table of registers", () => {
    const text = `${lines(401)}\n`;
    expect(sizeProblems({ path: "src/engine/a.ts", text })).toEqual(["src/engine/a.ts:1: 401 lines are more than 400"]);
    expect(sizeProblems({ path: "src/engine/a.ts", text: lines(400) })).toEqual([]);
    expect(sizeProblems({ path: "adapters/modbus/profiles/x.ts", text })).toEqual([]);
  });

  test.each([
    ["a function", `function f(): { a: string } {\n${lines(70)}\n}`],
    ["a method", `class C {\nm<T>(x: T): void {\n${lines(70)}\n}}`],
    ["an arrow", `const f = async ({ a }: { a: string }): Promise<void> => {\n${lines(70)}\n};`],
  ])("%s of more than 70 lines", (_name, text) => {
    const problems = sizeProblems({ path: "src/engine/a.ts", text });
    expect(problems.map((problem) => problem.replace(/^.*?: /, ""))).toEqual([
      "a function of 72 lines is longer than 70",
    ]);
  });

  test("no function of 70 lines, and no long list", () => {
    const text = `function f() {\n${lines(68)}\n}\nconst list = [\n${lines(100).replaceAll(";", ",")}\n];`;
    expect(sizeProblems({ path: "src/engine/a.ts", text })).toEqual([]);
  });
});

describe("the rule of durations refuses", () => {
  test.each([
    "const REST_MS = 15 * 60_000;",
    "const age = 30 * 24 * 3_600_000;",
    "const minutes = restMs / 60_000;",
    "const limit = { windowMs: 3_600_000 };",
    "z.int().max(86_400_000);",
    "const FLUSH_MS = 300_000;",
    "const pause = { ceilingMs: 600_000 };",
  ])("%s", (text) => {
    expect(durationProblems({ path: "src/engine/a.ts", text })).toHaveLength(1);
  });

  test.each([
    "const REST_MS = 15 * MINUTE_MS;",
    "const REST_MS = 60_000;",
    "const START_MS = 1_782_000_000_000;",
    "const capacityWh = 120_000;",
    "const atMs = seconds * 1_000;",
  ])("but not %s", (text) => {
    expect(durationProblems({ path: "src/engine/a.ts", text })).toEqual([]);
  });
});
