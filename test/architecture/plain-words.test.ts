import { globSync, readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { bannedWords, folderOf } from "./plain-words.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const ALLOWANCE = new URL("plain-words-allowance.json", import.meta.url);
/** Folders that are not in the table have no banned word. */
function allowedCounts(): Readonly<Record<string, number>> {
  return JSON.parse(readFileSync(ALLOWANCE, "utf8")) as Readonly<Record<string, number>>;
}

function problemsByFolder(): Readonly<Record<string, readonly string[]>> {
  const problems = globSync("{src,adapters,firmware-bridges}/**/*.ts", { cwd: ROOT })
    .toSorted()
    .flatMap((path) => bannedWords({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
  const folders = Map.groupBy(problems, (problem) => folderOf(problem.replace(/:.*/su, "")));
  return Object.fromEntries([...folders].toSorted(([a], [b]) => a.localeCompare(b)));
}

/**
 * Each folder has the count of banned words it had when the list was made, and the counts only shrink. Clean a folder,
 * then run this test with UPDATE_PLAIN_WORDS=1, which lowers the numbers in plain-words-allowance.json.
 */
test("No folder has more banned words in its names, comments and texts than its allowance", ({ annotate }) => {
  const found = problemsByFolder();
  const counts = Object.fromEntries(Object.entries(found).map(([folder, { length }]) => [folder, length]));
  if (process.env["UPDATE_PLAIN_WORDS"] === "1") writeFileSync(ALLOWANCE, `${JSON.stringify(counts, null, 2)}\n`);
  const allowance = allowedCounts();
  for (const [folder, allowed] of Object.entries(allowance)) {
    const count = counts[folder] ?? 0;
    if (count < allowed) void annotate(`${folder} has ${count} banned words: lower its allowance from ${allowed}`);
  }
  const tooMany = Object.entries(found).filter(([folder, { length }]) => length > (allowance[folder] ?? 0));
  expect(Object.fromEntries(tooMany)).toEqual({});
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
