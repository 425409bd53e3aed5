import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const MODULE = new URL("../../../src/platform/node/source-maps.ts", import.meta.url).href;
const MAP = { version: 3, sources: ["src/heating.ts"], names: [], mappings: "AAME" };

/** The stack of an error that a bundle throws, in a process of its own; by the map from line 7 of `src/heating.ts`. */
function stackOf({ hasMap }: { hasMap: boolean }): string {
  const folder = mkdtempSync(join(tmpdir(), "hemgate-maps-"));
  const file = join(folder, "bundle.mjs");
  writeFileSync(file, 'throw new Error("too cold");');
  if (hasMap) writeFileSync(`${file}.map`, JSON.stringify(MAP));
  const script = `
    import { mapStacks } from ${JSON.stringify(MODULE)};
    mapStacks(${JSON.stringify(pathToFileURL(`${folder}/`).href)});
    await import(${JSON.stringify(pathToFileURL(file).href)}).catch((error) => console.log(error.stack));`;
  const options = ["--conditions=source", "--input-type=module", "-e", script];
  const { stdout } = spawnSync(process.execPath, options, { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return stdout;
}

test("A stack names the sources of a bundle that has a map", () => {
  expect(stackOf({ hasMap: true })).toMatch(/^Error: too cold\n {4}at .*src\/heating\.ts:7:\d+/u);
});

test("A stack names the bundle where there is no map", () => {
  expect(stackOf({ hasMap: false })).toMatch(/^Error: too cold\n {4}at file:.*bundle\.mjs:1:7/u);
});
