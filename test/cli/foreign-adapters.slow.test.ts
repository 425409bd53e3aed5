/** What `hemgate check-config` says of an adapter of a third party that does not load. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hemgate, temporaryFolder } from "./hemgate-process.ts";

/** The file of each module below `adapters`, with its text, the name in the configuration, and what is said of it. */
const MODULES: readonly (readonly [file: string | null, text: string, name: string, said: RegExp])[] = [
  [null, "", "./gone.mjs", /there is no module at .+\/adapters\/gone\.mjs; put it there, or correct the path$/],
  [null, "", "gone", /there is no such package in .+\/adapters\/node_modules; install it there, or correct the name$/],
  [null, "", "https:gone", /the name is neither that of a package nor a path; a path begins with \.\/$/],
  ["syntax.mjs", "export const adapter = {", "./syntax.mjs", /it is not valid JavaScript; .+ node --check$/],
  [
    "bug.mjs",
    "null.x",
    "./bug.mjs",
    /failed while it was loaded \(TypeError, .+\/bug\.mjs:1:6\); report it to its author$/,
  ],
  ["word.mjs", 'throw "no"', "./word.mjs", /threw something that is not an Error; report it to its author$/],
  [
    "words.mjs",
    `throw new Error('no "device"\\nat all' + "x".repeat(500))`,
    "./words.mjs",
    /ended with "no device at allx{100,}…" \(.+\/words\.mjs:1:7\); ask its author if that does not help$/,
  ],
  ["needs.mjs", 'import "left-pad"', "./needs.mjs", /it imports "left-pad", which is missing; install the module with/],
  [
    "older.mjs",
    'import { gone } from "hemgate/sdk"',
    "./older.mjs",
    /it imports "gone" from hemgate\/sdk, which has no such export; install versions that fit each other$/,
  ],
  ["data.json", "{}", "./data.json", /it is not a JavaScript module that Node can import; build it, and name/],
  ["native.node", "nothing", "./native.node", /a native library of it does not load; install it again/],
  [
    "node_modules/pkg/package.json",
    '{ "name": "pkg", "exports": { "./x": "./x.js" } }',
    "pkg",
    /its package\.json does not say which file to import; correct exports or main there$/,
  ],
];

test("an adapter of a third party that does not load is named with the reason and a remedy", async () => {
  using folder = temporaryFolder();
  const adapters = join(folder.path, "adapters");
  mkdirSync(join(adapters, "node_modules", "pkg"), { recursive: true });
  for (const [file, text] of MODULES) if (file !== null) writeFileSync(join(adapters, file), text);
  const config = join(folder.path, "gateway.yaml");
  const named = MODULES.map(([, , name], at) => [`other${at}`, name]);
  writeFileSync(config, JSON.stringify({ adapters: Object.fromEntries(named) }));
  const { err } = await hemgate(["check-config", config, "--state", folder.path]);
  const lines = err.trimEnd().split("\n");
  expect(lines).toHaveLength(MODULES.length);
  for (const [at, [, , name, said]] of MODULES.entries()) {
    expect(lines[at]).toContain(`adapters.other${at}: ${name} does not load: `);
    expect(lines[at]).toMatch(said);
  }
});
