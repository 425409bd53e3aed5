/** Counts the table, for docs/conformance.md. The suite keeps what is counted as met true. */
import type { Row } from "./row.ts";
import { versionsOf } from "./run-row.ts";

/** `titles`: of the parts, by id. */
export function reportOf(rows: readonly Row[], titles: ReadonlyMap<string, string>): string {
  const parts = [...new Set(rows.map(({ part }) => part))].toSorted(byPart);
  const lines = parts.map((part) => {
    const own = rows.filter((row) => row.part === part);
    const unmet = own.filter((row) => row.unmet !== undefined).length;
    return `| ${part} ${titles.get(part) ?? ""} | ${own.length} | ${checksIn(own)} | ${own.length - unmet} | ${unmet} |`;
  });
  const unmet = rows.filter((row) => row.unmet !== undefined);
  const total = `| all | ${rows.length} | ${checksIn(rows)} | ${rows.length - unmet.length} | ${unmet.length} |`;
  const notMet = unmet.map(({ part, statement, unmet: why }) => `- **${part}** ${statement}: ${why}`);
  return [
    "# Conformance",
    "",
    "What the API does, as rows of a table that ask it over HTTP and look at the answer (`test/conformance/`). Every row",
    "runs in each version it is about, and every answer is held against the description of its version. The statements are",
    "listed in [docs/interface](interface/README.md). This page is generated:",
    "`UPDATE_CONFORMANCE=1 npm run suite conformance`.",
    "",
    "| part | statements | checks over versions | met | not met |",
    "|---|---|---|---|---|",
    ...lines,
    total,
    "",
    "## Not met",
    "",
    ...(notMet.length === 0 ? ["Every row is met."] : notMet),
    "",
  ].join("\n");
}

function checksIn(rows: readonly Row[]): number {
  return rows.reduce((sum, row) => sum + versionsOf(row.versions).length, 0);
}

/** `I2.9` before `I2.10`, and both before `S1.1`. */
function byPart(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}
