import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readInterfacePages } from "../conformance/interface-files.ts";
import { titlesIn, withStatements } from "../conformance/interface-pages.ts";
import { ROWS } from "../conformance/table.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FOLDERS = "{src,adapters,firmware-bridges,config,systemd,test,scripts,bench,docs,examples}";
const OTHERS = ["node_modules", "golden", "generated", "screenshots", "dist"];
/** A list such as `rules A1 and A2.3`, across the lines of a comment too, with what stands between the ids. */
const CITATION = /\brules?((?:(?:,|\band\b|\bto\b|[\s*/])+[IS]\d+(?:\.\d+)?\b)+)/gi;
const ID = /\b[IS]\d+(?:\.\d+)?\b/g;
/** What citations looked like when the rules were in documents that the repository does not have. */
const OLD_CITATION = /\b(?:supplement|interface),?(?: (?:part|section|row)s?)? \d{1,2}(?:\.\d{1,2})?(?![\d.]*\d)/gi;

const titles = titlesIn(readInterfacePages());

function citedIn(text: string): readonly string[] {
  return [...text.matchAll(CITATION)].flatMap(([, ids = ""]) => ids.match(ID) ?? []);
}

function texts(): readonly { readonly path: string; readonly text: string }[] {
  const paths = globSync([`${FOLDERS}/**/*.{ts,mts,mjs,js,md,json,yaml,yml,sh,css,html,service}`, "*.md"], {
    cwd: ROOT,
    exclude: (path) => OTHERS.some((name) => path.split("/").includes(name)),
  });
  return paths.toSorted().map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
}

describe("the pages of docs/interface", () => {
  test("have the statements of the rows (UPDATE_CONFORMANCE=1 npm run suite conformance writes them)", () => {
    const pages = readInterfacePages();
    expect(Object.fromEntries(pages)).toEqual(Object.fromEntries(withStatements(pages, ROWS)));
  });

  test("are named by the id that their headings begin with, so that an id leads to its page", () => {
    for (const [file, text] of readInterfacePages()) {
      if (file === "README.md") continue;
      const own = [...titlesIn(new Map([[file, text]])).keys()].map((id) => id.split(".")[0]);
      expect([file, [...new Set(own)]]).toEqual([file, [file.split("-", 1)[0]]]);
    }
  });

  test("name no id that has no heading", () => {
    const dead = [...readInterfacePages()].flatMap(([file, text]) =>
      [...(text.match(ID) ?? [])].filter((id) => !titles.has(id)).map((id) => `${file} ${id}`),
    );
    expect(dead).toEqual([]);
  });
});

describe("rules cited in the repository", () => {
  const all = texts();

  test("are found: the files that cite some are many", () => {
    expect(all.filter(({ text }) => citedIn(text).length > 0).length).toBeGreaterThan(150);
  });

  test("are headings of docs/interface", () => {
    const dead = all.flatMap(({ path, text }) =>
      citedIn(text).flatMap((id) => (titles.has(id) ? [] : [`${path}: ${id}`])),
    );
    expect(dead).toEqual([]);
  });

  test("are cited by their ids, not by documents that are not there", () => {
    const old = all.flatMap(({ path, text }) => (text.match(OLD_CITATION) ?? []).map((words) => `${path}: ${words}`));
    expect(old).toEqual([]);
  });

  test("are recognized, and other words are not", () => {
    expect(citedIn("Rules S2.1 and S2.7,\n * I4.2 to I4.5: the rule of 3, and I")).toEqual([
      "S2.1",
      "S2.7",
      "I4.2",
      "I4.5",
    ]);
    expect(`(${"interface"} 3.1, ${"Supplement"} 7)`.match(OLD_CITATION)).toHaveLength(2);
    expect("interface 192.168.1.2".match(OLD_CITATION)).toBeNull();
  });
});
