import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withZones } from "../../scripts/zones-text.ts";
import { MAY_IMPORT } from "../architecture/import-rule.ts";

const PAGE = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");
const MAX_LINES = 200;

describe("docs/architecture.md", () => {
  test("shows the zones as the import rule has them; scripts/update-zones.mjs writes them", () => {
    expect(PAGE).toBe(withZones(PAGE));
  });

  test("names every zone of the import rule", () => {
    expect(Object.keys(MAY_IMPORT).filter((zone) => !PAGE.includes(`\`${zone}\``))).toEqual([]);
  });

  test(`has at most ${MAX_LINES} lines, so that it is read in one sitting`, () => {
    expect(PAGE.trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_LINES);
  });
});
