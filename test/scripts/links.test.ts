import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, matchesGlob, relative } from "node:path";
import { describe, expect, test } from "vitest";

const ROOT = new URL("../../", import.meta.url).pathname;
const PAGES = globSync("**/*.md", { cwd: ROOT, exclude: (path) => /(^|\/)(node_modules|dist|coverage)$/.test(path) });

/** What a page links to, without code: `text` and `target` of each Markdown link. */
function linksOf(text: string): readonly { readonly text: string; readonly target: string }[] {
  const prose = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "").replaceAll(/`[^`\n]*`/g, "code");
  return [...prose.matchAll(/\[([^\]]*)\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)].map(([, text = "", target = ""]) => ({
    text,
    target,
  }));
}

/** The anchors that GitHub makes of a page's headings; a heading that stands twice gets a number. */
function anchorsOf(text: string): ReadonlySet<string> {
  const seen = new Map<string, number>();
  const headings = text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, "").matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm);
  return new Set(
    [...headings].map(([, heading = ""]) => {
      const plain = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
      const slug = plain.replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    }),
  );
}

function problem(page: string, target: string): string | null {
  if (/^[a-z][a-z+.-]*:/i.test(target)) return null;
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? join(ROOT, page) : join(ROOT, dirname(page), decodeURIComponent(path));
  if (relative(ROOT, file).startsWith("..")) return `${page}: ${target} is outside of the repository`;
  if (!existsSync(file)) return `${page}: ${target} does not exist`;
  if (anchor === undefined) return null;
  if (!statSync(file).isFile() || !file.endsWith(".md")) return `${page}: ${target} has an anchor into no page`;
  return anchorsOf(readFileSync(file, "utf8")).has(anchor)
    ? null
    : `${page}: ${target} names a heading that is not there`;
}

/** Paths of the repository that a page names in code, such as `src/store/migrations.ts` or `docs/clouds.md`. */
function pathsIn(text: string): readonly string[] {
  const found = text.matchAll(
    /`((?:src|adapters|firmware-bridges|test|docs|scripts|bench|config|systemd)\/[\w./-]+)`/g,
  );
  return [...found].map(([, path = ""]) => path);
}

describe("the documents", () => {
  test("are found, and have links", () => {
    expect(PAGES).toContain("docs/architecture.md");
    expect(PAGES.flatMap((page) => linksOf(readFileSync(join(ROOT, page), "utf8"))).length).toBeGreaterThan(100);
  });

  test("link only to files and headings that exist", () => {
    const found = PAGES.flatMap((page) =>
      linksOf(readFileSync(join(ROOT, page), "utf8")).flatMap(({ target }) => problem(page, target) ?? []),
    );
    expect(found).toEqual([]);
  });

  test("that are packed link only to what is packed, or lead to the repository", () => {
    const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { files: readonly string[] };
    const isPacked = (path: string) => files.some((each) => matchesGlob(path, each) || path.startsWith(`${each}/`));
    const found = PAGES.filter(isPacked).flatMap((page) =>
      linksOf(readFileSync(join(ROOT, page), "utf8")).flatMap(({ target }) => {
        if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
        const [path = ""] = target.split("#");
        const file = relative(ROOT, join(ROOT, path === "" ? page : join(dirname(page), path)));
        return isPacked(file) ? [] : [`${page}: ${target}`];
      }),
    );
    expect(found).toEqual([]);
  });

  test("name in code only files and folders that exist", () => {
    const found = PAGES.flatMap((page) =>
      pathsIn(readFileSync(join(ROOT, page), "utf8"))
        .filter((path) => !existsSync(join(ROOT, path)) && !existsSync(join(ROOT, dirname(page), path)))
        .map((path) => `${page}: ${path}`),
    );
    expect(found).toEqual([]);
  });

  test("every page in docs is reached by links from README.md", () => {
    const reached = new Set(["README.md"]);
    for (const page of reached) {
      for (const { target } of linksOf(readFileSync(join(ROOT, page), "utf8"))) {
        const [path = ""] = target.split("#");
        const next = relative(ROOT, join(ROOT, dirname(page), path));
        if (PAGES.includes(next)) reached.add(next);
      }
    }
    expect(PAGES.filter((page) => page.startsWith("docs/") && !reached.has(page))).toEqual([]);
  });

  test.each([
    ["docs/security.md#no-such-heading", "names a heading that is not there"],
    ["docs/no-such-page.md", "does not exist"],
    ["../elsewhere.md", "is outside of the repository"],
    ["LICENSE#part", "has an anchor into no page"],
  ])("a link to %s is refused", (target, why) => {
    expect(problem("README.md", target)).toBe(`README.md: ${target} ${why}`);
  });
});
