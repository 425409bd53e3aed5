import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url);
const PAGE = readFileSync(new URL("docs/design/energy-scenarios.md", ROOT), "utf8");

/** The rows of the page: a scenario, and each of its tests as file and title. */
function rows() {
  return [...PAGE.matchAll(/^\| (?!scenario|---)(.+?) \| (.+) \|$/gm)].map(([, scenario = "", cell = ""]) => ({
    scenario,
    tests: cell.split("<br>").map((each) => /^`([^`]+)`: (.+)$/.exec(each)?.slice(1) ?? [each, ""]),
  }));
}

test("Every scenario of the energy manager names tests that are there, by file and title", () => {
  expect(rows().length).toBeGreaterThan(60);
  const missing = rows().flatMap(({ scenario, tests }) =>
    tests.flatMap(([file = "", title = ""]) => {
      const path = new URL(file, ROOT);
      const isThere = title !== "" && existsSync(path) && readFileSync(path, "utf8").includes(`"${title}"`);
      return isThere ? [] : [`"${scenario}": ${file} has no test "${title}"`];
    }),
  );
  expect(missing).toEqual([]);
});
