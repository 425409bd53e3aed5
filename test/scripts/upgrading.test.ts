import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MIGRATIONS } from "../../src/store/migrations.ts";

test("UPGRADING.md has a row for each layout of the critical database", () => {
  const page = readFileSync(new URL("../../UPGRADING.md", import.meta.url), "utf8");
  const rows = MIGRATIONS.map((_step, index) => `| ${index === 0 ? "empty" : index} | ${index + 1} |`);
  expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  expect(page).not.toContain(`| ${MIGRATIONS.length} | ${MIGRATIONS.length + 1} |`);
});
