/** The pages of docs/interface: headings and text are written by hand, the lists below them are the rows of the table. */
import type { Row, Versions } from "./row.ts";

/** Name of a file and its text. */
export type Pages = ReadonlyMap<string, string>;

const HEADING = /^#{1,2} ([IS]\d+(?:\.\d+)?) (.+)$/;
const STATEMENTS = "<!-- statements -->";
const INDEX = "<!-- pages -->";
const END = "<!-- end -->";

/** The ids that have a heading, with its title. An id that has two headings throws. */
export function titlesIn(pages: Pages): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const line of [...pages.values()].flatMap((text) => text.split("\n"))) {
    const [, id, title] = HEADING.exec(line) ?? [];
    if (id === undefined || title === undefined) continue;
    if (titles.has(id)) throw new Error(`docs/interface has two headings ${id}`);
    titles.set(id, title);
  }
  return titles;
}

/** The pages with the lists that the rows and the pages make. A row without a heading throws. */
export function withStatements(pages: Pages, rows: readonly Row[]): Pages {
  const titles = titlesIn(pages);
  const homeless = rows.find(({ part }) => !titles.has(part));
  if (homeless !== undefined) throw new Error(`no page of docs/interface has a heading ${homeless.part}`);
  return new Map(
    [...pages].map(([file, text]) => [file, file === "README.md" ? withIndex(text, pages) : pageOf(text, rows)]),
  );
}

function pageOf(text: string, rows: readonly Row[]): string {
  const byHand = text.replaceAll(new RegExp(`\n${STATEMENTS}\n[^]*?${END}\n`, "g"), "");
  const sections = byHand.split(/\n(?=## )/).map((section) => {
    const id = HEADING.exec(section.split("\n", 1)[0] ?? "")?.[1];
    const own = rows.filter(({ part }) => part === id);
    const list = own.map((row) => `- ${row.statement}${checkOf(row)}`).join("\n");
    return own.length === 0 ? section : `${section.trimEnd()}\n\n${STATEMENTS}\n${list}\n${END}\n`;
  });
  return sections.join("\n");
}

/** How the statement is checked: `GET /meters` → 200, checked in … */
function checkOf({ request, expect, versions, unmet }: Row): string {
  const answer = expect.problem === undefined ? `${expect.status}` : `${expect.status} \`${expect.problem}\``;
  const where = versionsText(versions);
  const state = unmet === undefined ? "" : `; **not met**: ${unmet}`;
  return ` (\`${request.ask}\` → ${answer}${where === "" ? "" : `; checked ${where}`}${state})`;
}

function versionsText(versions: Versions = "all"): string {
  if (versions === "all") return "";
  if (Array.isArray(versions)) return `in ${versions.join(", ")}`;
  const { from, before } = versions as { readonly from?: string; readonly before?: string };
  return [from && `from ${from}`, before && `before ${before}`].filter(Boolean).join(" and ");
}

/** Fills the list of pages. */
function withIndex(text: string, pages: Pages): string {
  const lines = [...pages]
    .filter(([file]) => file !== "README.md")
    .toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))
    .map(([file, page]) => `- [${page.split("\n", 1)[0]?.slice(2)}](${file})`);
  return text.replace(new RegExp(`${INDEX}[^]*?${END}`), [INDEX, ...lines, END].join("\n"));
}
