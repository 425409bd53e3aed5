import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;
/** Written by scripts from texts in the code, or a record of what was. */
const RECORDS = ["CHANGELOG.md", "docs/clouds.md", "docs/conformance.md", "docs/devices.md", "docs/http-devices.md"];
/** Words that a reader whose first language is another one reads twice. */
const BANNED = /\b(told|meant|anew|whoever|reckon(s|ed|ing)?|shall|vouch(es|ed)?|afar)\b/i;

test("the documents in docs and at the root are in plain words", () => {
  const pages = globSync("{*.md,docs/**/*.md,systemd/*.md}", { cwd: ROOT }).filter((page) => !RECORDS.includes(page));
  const found = pages.flatMap((page) =>
    readFileSync(`${ROOT}${page}`, "utf8")
      .split("\n")
      .flatMap((line, index) => (BANNED.test(line) ? [`${page}:${index + 1}: ${BANNED.exec(line)?.[0]}`] : [])),
  );
  expect(pages).toContain("docs/security.md");
  expect(found).toEqual([]);
});
