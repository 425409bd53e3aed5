import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bannedWords } from "./plain-words.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

test("No name, comment or text has a banned word", () => {
  // Generated types repeat the words of the API.
  const problems = globSync("{src,adapters,firmware-bridges}/**/*.ts", { cwd: ROOT, exclude: ["**/*.generated.ts"] })
    .toSorted()
    .flatMap((path) => bannedWords({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
  expect(problems).toEqual([]);
});

test.each([
  ["src/a.ts", "const lastTold = 5;", ["src/a.ts: told"]],
  ["src/told-currency.ts", "", ["src/told-currency.ts:1: told"]],
  ["src/a.ts", "/** Reads it\n * anew. */", ["src/a.ts: anew"]],
  ["src/a.ts", 'log.warn("whoever asks");', ["src/a.ts: whoever"]],
  ["src/a.ts", "function read(given: string) {}", ["src/a.ts:1: given: given"]],
  ["src/a.ts", "interface A {\n  readonly heldMs: number;\n}", ["src/a.ts:2: heldMs: held"]],
])("A banned word is found in %s: %s", (path, text, problems) => {
  const found = bannedWords({ path, text });
  expect(found.map((problem) => problem.replace(/"([^"]*)" is banned.*/u, "$1"))).toEqual(problems);
});

test("A fixed key of a folder is allowed in the files of that folder only", () => {
  const text = "const a = { wish: true };";
  expect(bannedWords({ path: "adapters/modbus/profiles/a.ts", text })).toEqual([]);
  expect(bannedWords({ path: "adapters/modbus/profiles-a.ts", text })).toHaveLength(1);
});

test.each([
  ["a longer word", "const untoldable = 5; const shelfless = 1;"],
  ["plain English in a sentence", "/** The port given in the options, held open while it is wanted. */"],
  ["a part of another word", "const plane = 5; const returned = 1; const labelled = 2;"],
])("A banned word is not found in %s", (_what, text) => {
  expect(bannedWords({ path: "src/a.ts", text })).toEqual([]);
});
